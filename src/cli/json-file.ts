import { readFile } from 'node:fs/promises'
import { CliError } from './cli-error.ts'

export async function readJsonFile(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw new CliError(`${file} is not JSON`)
    throw new CliError(`cannot read ${file}: ${(error as Error).message}`)
  }
}
