import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../../..')

/** `src/queue` compiled to JavaScript, for the plain node programs of a test. */
export interface CompiledQueue extends AsyncDisposable {
  /** URL to import `bullmq-queue.ts` from. */
  readonly url: string
}

/** Compiles into `node_modules`, where imports of packages resolve. */
export async function compileQueue(): Promise<CompiledQueue> {
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const directory = await mkdtemp(join(cache, 'queue-test-'))

  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(settings(directory)))
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', directory])
  return {
    url: pathToFileURL(join(directory, 'src/queue/bullmq/bullmq-queue.js')).href,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}

function settings(outDir: string) {
  const compilerOptions = { outDir, rootDir: root, incremental: false, sourceMap: false }
  return { extends: join(root, 'tsconfig.json'), include: [join(root, 'src/queue')], compilerOptions }
}
