import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { writeCompressedCopies } from './compressed-copies.ts'

const root = resolve(import.meta.dirname, '../../../..')

interface Bundle {
  /** Name of its folder in dist. */
  readonly name: string
  readonly entries: Readonly<Record<string, string>>
  /** Files whose content decides the result, except the packages. */
  readonly inputs: readonly string[]
  /** Writes further files into the folder of the bundle. */
  readonly addFiles?: (folder: string) => void
}

/**
 * Bundles browser code and its packages into dist/NAME/VERSION. VERSION is a hash of the inputs, so that browsers can
 * cache the files forever. If the version exists, it is not bundled again.
 */
export async function writeBundle({ name, entries, inputs, addFiles }: Bundle): Promise<void> {
  const ours = ['write-bundle.js', 'compressed-copies.js'].map((file) => join(import.meta.dirname, file))
  const version = versionOf([...ours, join(root, 'package-lock.json'), ...inputs])
  const folder = join(root, 'dist', name)
  if (existsSync(join(folder, version))) return
  const temporary = `${folder}.${process.pid}`
  await build({
    entryPoints: entries,
    outdir: join(temporary, version),
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'linked',
    jsx: 'automatic',
    loader: { '.ttf': 'dataurl', '.woff2': 'file' },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  })
  addFiles?.(join(temporary, version))
  writeCompressedCopies(join(temporary, version))
  rmSync(folder, { recursive: true, force: true })
  renameSync(temporary, folder)
}

function versionOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('base64url').slice(0, 12)
}
