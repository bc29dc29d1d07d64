import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { eventTypeNames } from '../../../src/subgraphs/events/event-types.ts'

const USES = join(import.meta.dirname, '../../sdk/uses')

/** Returns what the compiler reports about a project. */
async function compile(project: string): Promise<string> {
  const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc')
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', project]).catch(
    (error: { stdout: string }) => error,
  )
  return stdout
}

test('the types reject wrong uses and accept correct ones', async () => {
  expect(await compile(USES)).toBe('')
})

/** Returns a handler of events without a case for one type. */
const handlerWithout = (missing: string | null, index: number) =>
  `export function handler${index}(event: Event): UnknownEvent | null {
    switch (event.type) {
      ${eventTypeNames.map((type) => (type === missing ? '' : `case '${type}':`)).join(' ')}
        return null;
      default: return event;
    }
  }`.replaceAll(/\n\s*/g, ' ')

test('a handler compiles only if it has a case for every event type', async () => {
  const project = await mkdtemp(join(tmpdir(), 'odograph-types-'))
  try {
    const handlers = [null, ...eventTypeNames].map(handlerWithout)
    const source = `import type { Event, UnknownEvent } from '@odograph/client'`
    await writeFile(join(project, 'handlers.mts'), [source, ...handlers, ''].join('\n'))
    const config = { extends: join(USES, 'tsconfig.json'), compilerOptions: { rootDir: '/' }, include: ['.'] }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config))
    const errors = [...(await compile(project)).matchAll(/\((\d+),\d+\): error (\w+)/g)]
    // The import is on line 1, and the handler that has all cases on line 2.
    expect(errors.map(([, line, code]) => [Number(line), code])).toEqual(
      eventTypeNames.map((_, index) => [index + 3, 'TS2322']),
    )
  } finally {
    await rm(project, { recursive: true })
  }
})
