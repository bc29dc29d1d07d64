import { isNestedDeeper } from '../../platform/json-depth.ts'

/** Maximum nesting of a stored record. MySQL refuses JSON of more than 100 levels. */
const MAX_DEPTH = 64

/** Whether a record of a provider can be stored: its JSON is not too long, and not nested too deeply. */
export function isStorable(raw: unknown, maxLength: number): boolean {
  const json = jsonOf(raw)
  return json !== null && json.length <= maxLength && !isNestedDeeper(json, MAX_DEPTH)
}

/** Returns null if the record is nested so deeply that serializing it overflows the stack. */
function jsonOf(raw: unknown): string | null {
  try {
    return JSON.stringify(raw)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
