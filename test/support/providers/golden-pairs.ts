import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A raw record of a provider, and the normalized record that is stored. `golden/<provider>/<Model>.json` is a list of
 * pairs. `normalized` is null if the mapping must reject the record. A new provider adds pairs, not tests.
 */
export interface GoldenPair {
  readonly name: string
  readonly raw: unknown
  readonly normalized: Readonly<Record<string, unknown>> | null
}

const GOLDEN = join(import.meta.dirname, 'golden')

export const goldenProviders = (): string[] => readdirSync(GOLDEN)

export const goldenModels = (provider: string): string[] =>
  readdirSync(join(GOLDEN, provider)).map((file) => file.replace(/\.json$/, ''))

export const goldenPairs = (provider: string, model: string): GoldenPair[] =>
  JSON.parse(readFileSync(join(GOLDEN, provider, `${model}.json`), 'utf8')) as GoldenPair[]
