import { unknownEnumValues } from '../../platform/instrumentation.ts'
import { ProviderError } from '../provider-error.ts'

/**
 * A provider's words for one of our facts. A word that its table does not know is told to whoever counts such words;
 * what becomes of it depends on the fact: it is not told, a preset takes its place, or its record is left out.
 */
export interface EnumMapping<Ours> {
  /** Of a fact that may be null: null for no word, for one that says none of ours, and for one that is not known. */
  maybe(word: Word): Ours | null
  /** Of a fact with a preset, which also stands for no word. */
  or(preset: Ours, word: Word): Ours
  /** Of a fact that a record cannot do without: a `malformed` error, which does not quote the word. */
  needed(word: Word): Ours
}

type Word = string | null | undefined

/**
 * The words of a provider for a field such as `HOSLog.status`, by its table; null for what is known and is none of
 * ours.
 */
export function createEnumMapping<Ours extends string | object>(
  provider: string,
  field: `${string}.${string}`,
  table: Readonly<Record<string, Ours | null>>,
): EnumMapping<Ours> {
  const maybe = (word: Word): Ours | null => {
    if (!word) return null
    if (Object.hasOwn(table, word)) return table[word] ?? null
    unknownEnumValues.emit({ provider, field, word })
    return null
  }
  return {
    maybe,
    or: (preset, word) => maybe(word) ?? preset,
    needed(word) {
      const ours = maybe(word)
      if (ours === null) throw new ProviderError('malformed', `${field}: the word is not known`)
      return ours
    },
  }
}

/** For a table: words that are known, with spaces between, and say none of ours. */
export const unmappedValues = (words: string): Readonly<Record<string, null>> =>
  Object.fromEntries(words.split(/\s+/).map((word) => [word, null]))
