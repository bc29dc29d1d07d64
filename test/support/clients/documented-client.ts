import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { codeBlocks } from '../documentation.ts'

/** Imports the code of the documentation that exports a function with this name, as it is. */
export async function documentedClient<Created>(
  name: string,
): Promise<(origin: string, getToken: () => Promise<string>) => Created> {
  const code = codeBlocks('js').find(([, text]) => text.includes(`export function ${name}(`))?.[1]
  if (code === undefined) throw new Error(`The documentation has no function ${name}.`)
  // The code imports packages, so the file must be below node_modules of the project.
  const folder = await mkdtemp(join(process.cwd(), 'dist', 'client-'))
  try {
    const file = join(folder, 'client.mjs')
    await writeFile(file, code)
    const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<string, never>
    return module[name]!
  } finally {
    await rm(folder, { recursive: true })
  }
}
