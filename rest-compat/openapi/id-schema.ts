import { idPrefixes, type Kind } from '../../src/domain/ids.ts'
import type { JsonSchema } from './json-schema.ts'

/** ULID in Crockford's base 32 alphabet. */
const ULID = '[0-9A-HJKMNP-TV-Z]{26}'

export const idSchema = (kind: Kind): JsonSchema => ({
  type: 'string',
  pattern: `^${idPrefixes[kind]}_${ULID}$`,
  examples: [`${idPrefixes[kind]}_01J8ZQ4N5R8X2V6T3W1Y7K9M0P`],
})

/** Returns the record kind of a GraphQL type, such as `HosLog`; null for a type without ids. */
export function kindNamed(name: string): Kind | null {
  const kind = `${name[0]?.toLowerCase()}${name.slice(1)}`
  return kind in idPrefixes ? (kind as Kind) : null
}
