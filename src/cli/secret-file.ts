import { readFileSync } from 'node:fs'
import { CliError } from './cli-error.ts'

/**
 * Reads a secret from a file, or from standard input if the path is `-`. A secret in an argument would appear in the
 * shell history and in the list of processes.
 */
export function readSecretFile(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8').trim()
  } catch (cause) {
    throw new CliError(`${path} cannot be read`, 2, { cause })
  }
}
