import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('`npm pack` compiles the package first', async () => {
  await rm('sdk/dist', { recursive: true, force: true })
  const { stdout } = await promisify(execFile)('npm', ['pack', './sdk', '--dry-run', '--json'])
  // npm also prints the output of the script that compiles.
  const [{ files }] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [{ files: { path: string }[] }]
  const paths = files.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining([
      'README.md',
      ...['index', 'browser'].flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]),
    ]),
  )
})
