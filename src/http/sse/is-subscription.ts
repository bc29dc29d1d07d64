import { GraphQLError, Lexer, Source, TokenKind } from 'graphql'
import { MAX_DOCUMENT_TOKENS } from '../graphql/validation-rules.ts'

/**
 * Whether the operation of a document is a subscription. The document is only divided into tokens, because this happens
 * before the request is authenticated.
 */
export function isSubscription(text: string, operationName: string | null): boolean {
  if (!text.includes('subscription')) return false
  try {
    return typeOfOperation(new Lexer(new Source(text)), operationName) === 'subscription'
  } catch (error) {
    if (error instanceof GraphQLError) return false
    throw error
  }
}

const OPERATION_TYPES = new Set(['query', 'mutation', 'subscription'])

/** Returns the type of the named operation, or of the only one. Reads no more tokens than a document may have. */
function typeOfOperation(lexer: Lexer, operationName: string | null): string | null {
  let type: string | null = null
  let depth = 0
  let tokens = 0
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (++tokens > MAX_DOCUMENT_TOKENS) return null
    const { kind, value } = token
    if (kind === TokenKind.BRACE_L || kind === TokenKind.PAREN_L) depth++
    if (kind === TokenKind.BRACE_R || kind === TokenKind.PAREN_R) depth--
    if (depth > 0 || kind !== TokenKind.NAME) continue
    const next = lexer.lookahead()
    const isRequested = !operationName || (next.kind === TokenKind.NAME && next.value === operationName)
    if (OPERATION_TYPES.has(value) && isRequested) type ??= value
    // An operation or a fragment can have the name `subscription`.
    if (next.kind === TokenKind.NAME) lexer.advance()
  }
  return type
}
