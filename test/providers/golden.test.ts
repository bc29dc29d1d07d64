import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ProviderAdapter, Reader } from '../../src/providers/provider.ts'
import { geotabAdapter } from '../../src/providers/geotab/adapter.ts'
import { motiveAdapter } from '../../src/providers/motive/adapter.ts'
import { samsaraAdapter } from '../../src/providers/samsara/adapter.ts'
import { sandboxAdapter } from '../../src/providers/sandbox/adapter.ts'
import { traccarAdapter } from '../../src/providers/traccar/adapter.ts'

/**
 * What a provider sends and what we make of it, as `golden/<provider>/<Model>.json`: a list of pairs of `theirs` and
 * `ours`; `ours` is null where the record cannot be read. Whoever adds a provider adds pairs, not tests.
 */
interface Pair {
  readonly name: string
  readonly theirs: unknown
  readonly ours: Readonly<Record<string, unknown>> | null
}

const adapters: readonly ProviderAdapter[] = [
  sandboxAdapter('http://127.0.0.1:1'),
  traccarAdapter(),
  geotabAdapter(),
  samsaraAdapter(),
  motiveAdapter(),
]

const GOLDEN = join(import.meta.dirname, 'golden')

for (const provider of readdirSync(GOLDEN))
  describe(`golden pairs of ${provider}`, () => {
    const adapter = adapters.find(({ manifest }) => manifest.code === provider)
    const readers = { ...adapter?.readers, ...adapter?.latest } as Record<string, Reader<object> | undefined>
    for (const file of readdirSync(join(GOLDEN, provider))) {
      const model = file.replace(/\.json$/, '')
      const pairs = JSON.parse(readFileSync(join(GOLDEN, provider, file), 'utf8')) as Pair[]
      test.each(pairs)(`${model}: $name`, ({ theirs, ours }) => {
        const reader = readers[model]
        if (!reader) throw new Error(`${provider} has no reader of ${model}`)
        if (ours === null) expect(() => reader.toDraft(theirs)).toThrow()
        else expect(told(reader.toDraft(theirs))).toEqual(ours)
      })
    }
  })

/** Instants as RFC 3339, which people can compare. */
const told = (draft: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(draft).map(([name, value]) => [
      name,
      TIMES.test(name) && typeof value === 'number' ? new Date(value).toISOString() : value,
    ]),
  )

const TIMES = /(At|^timestamp)$/
