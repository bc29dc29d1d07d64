import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { compose } from '../gateway/compose.ts'
import { annotatedSdl } from '../gateway/schema-sdl.ts'
import { subgraphs } from '../gateway/subgraphs.ts'

/** Returns the contents of the files of `schema/`, by path. */
export function schemaFiles(): ReadonlyMap<string, string> {
  const supergraph = compose(subgraphs)
  return new Map([
    ['api.graphql', annotatedSdl(supergraph.apiSchema)],
    ['supergraph.graphql', `${supergraph.sdl.trim()}\n`],
    ...subgraphs.map(({ name, sdl }): [string, string] => [`subgraphs/${name}.graphql`, sdl]),
  ])
}

/** Writes the files of `schema/`. */
export async function writeSchema(folder: string): Promise<void> {
  for (const [path, text] of schemaFiles()) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

if (process.argv[1] === import.meta.filename) {
  const [, , folder = 'schema'] = process.argv
  if (folder.startsWith('-'))
    process.stdout.write(
      'Usage: npm run schema\nWrites the SDL of the graph, the supergraph and each subgraph.\n',
    )
  else await writeSchema(folder)
}
