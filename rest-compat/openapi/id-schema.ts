import { idPrefixes, type Kind } from '../../src/domain/ids.ts'
import type { JsonSchema } from './json-schema.ts'

/** Letters and digits of Crockford's alphabet: what a ULID is written in. */
const ULID = '[0-9A-HJKMNP-TV-Z]{26}'

export const idSchema = (kind: Kind): JsonSchema => ({
  type: 'string',
  pattern: `^${idPrefixes[kind]}_${ULID}$`,
  examples: [`${idPrefixes[kind]}_01J8ZQ4N5R8X2V6T3W1Y7K9M0P`],
})

/** The kind that a name means, such as `HosLog`, `J1939FaultCodeEvent` or `connectionId`; null where it means none. */
export function kindNamed(name: string): Kind | null {
  const kind = `${name[0]?.toLowerCase()}${name.slice(1)}`
  return kind in idPrefixes ? (kind as Kind) : null
}
