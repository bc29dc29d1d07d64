import { type ExecutionResult, Kind, visit } from 'graphql'
import { PublicError } from '../domain/errors.ts'
import { isStorableText } from '../domain/text.ts'
import { refusalResult } from './refusal.ts'
import type { Operation, OperationWithVariables } from './operation.ts'

/** Whether the document of an operation contains a text that no database stores unchanged. */
const literalFaults = new WeakMap<Operation, boolean>()

/** Returns the error result if a text of the caller cannot be stored unchanged; else null. */
export function textResultOf(request: OperationWithVariables): ExecutionResult | null {
  const error = textErrorOf(request)
  return error && refusalResult(error)
}

function textErrorOf({ operation, variables }: OperationWithVariables): PublicError | null {
  const hasFault = literalFaults.get(operation) ?? hasUnstorableLiteral(operation)
  literalFaults.set(operation, hasFault)
  if (hasFault) return textError('A text in the document', 'query')
  const path = unstorablePath(variables, '')
  return path === null ? null : textError(`\`${path}\``, path)
}

const textError = (place: string, path: string): PublicError => {
  const message = `${place} contains the character U+0000 or half of a surrogate pair. Remove it.`
  return new PublicError('bad_request', message, { detail: [{ message, path }] })
}

function hasUnstorableLiteral({ document }: Operation): boolean {
  let hasFault = false
  visit(document, {
    [Kind.STRING]({ value }) {
      hasFault ||= !isStorableText(value)
    },
  })
  return hasFault
}

/** Returns the path of the first text in a value that cannot be stored, or whose name cannot; null if there is none. */
function unstorablePath(value: unknown, path: string): string | null {
  if (typeof value === 'string') return isStorableText(value) ? null : path
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    const memberPath = path === '' ? name : `${path}.${name}`
    const found = isStorableText(name) ? unstorablePath(member, memberPath) : path
    if (found !== null) return found
  }
  return null
}
