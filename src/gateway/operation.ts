import { createHash } from 'node:crypto'
import {
  type ArgumentNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  type Token,
  TokenKind,
} from 'graphql'
import { errorCodes } from '../domain/errors.ts'

/** Maximum length of an operation name in logs and metrics; callers choose the names. */
const MAX_SHORT_NAME_LENGTH = 100

type Variables = Readonly<Record<string, unknown>>

export interface OperationWithVariables {
  readonly operation: Operation
  readonly variables?: Variables | null | undefined
}

/**
 * The one operation that a request runs. It comes from `chooseOperation`, or from `resumedAfter` for a resumed
 * subscription. Authorization, routing, metrics, compilation and execution all take it instead of a document and a name.
 * Its document contains no other operation, so no executor can run one that was not authorized.
 */
export class Operation {
  /**
   * Operations by document. Other caches use operations as keys. The same document must therefore always give
   * the same objects.
   */
  private static readonly byDocument = new WeakMap<DocumentNode, readonly Operation[]>()
  private computedHash: string | null = null

  private constructor(
    readonly definition: OperationDefinitionNode,
    /** This operation and the fragments of its original document. */
    readonly document: DocumentNode,
  ) {}

  static allIn(document: DocumentNode): readonly Operation[] {
    const operations = Operation.byDocument.get(document) ?? Operation.split(document)
    Operation.byDocument.set(document, operations)
    return operations
  }

  private static split(document: DocumentNode): readonly Operation[] {
    const { definitions } = document
    const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
    if (operations.length === 1) return operations.map((operation) => new Operation(operation, document))
    const fragments = definitions.filter((node) => node.kind !== Kind.OPERATION_DEFINITION)
    return operations.map(
      (operation) => new Operation(operation, { ...document, definitions: [operation, ...fragments] }),
    )
  }

  get type(): `${OperationDefinitionNode['operation']}` {
    return this.definition.operation
  }

  get name(): string | null {
    return this.definition.name?.value ?? null
  }

  /** Name for logs and metrics, cut to the maximum length. */
  get shortName(): string | null {
    return this.name?.slice(0, MAX_SHORT_NAME_LENGTH) ?? null
  }

  /**
   * SHA-256, in hexadecimal, of the whole document that the caller sent. Literals may be secret, so each string becomes
   * `""` and each number `0`.
   */
  get documentHash(): string {
    return (this.computedHash ??= createHash('sha256')
      .update(textWithoutLiterals(this.document))
      .digest('hex'))
  }

  /**
   * Returns this subscription resumed after an event: the event id replaces the argument `after` of the
   * root field.
   */
  resumedAfter(eventId: string): Operation {
    const after: ArgumentNode = {
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: 'after' },
      value: { kind: Kind.STRING, value: eventId },
    }
    const resumed = (field: FieldNode): FieldNode => {
      const otherArguments = (field.arguments ?? []).filter(({ name }) => name.value !== 'after')
      return { ...field, arguments: [...otherArguments, after] }
    }
    const definition = { ...this.definition, selectionSet: mapFields(this.definition.selectionSet, resumed) }
    const definitions = this.document.definitions.map((node) => {
      if (node === this.definition) return definition
      return isRootFragment(node) ? { ...node, selectionSet: mapFields(node.selectionSet, resumed) } : node
    })
    return new Operation(definition, { ...this.document, definitions })
  }
}

/**
 * Returns the named operation. Without a name, or with an empty one, returns the only operation. Returns an error for the
 * caller if there is not exactly one.
 */
export function chooseOperation(
  document: DocumentNode,
  operationName: string | null | undefined,
): Operation | GraphQLError {
  const all = Operation.allIn(document)
  const candidates = operationName ? all.filter(({ name }) => name === operationName) : all
  const [only] = candidates
  if (only && candidates.length === 1) return only
  const { graphql: code } = errorCodes.bad_request
  return new GraphQLError(choiceProblem(candidates.length, operationName), { extensions: { code } })
}

/** Parses a GraphQL document of this service. Throws unless it contains exactly one operation. */
export function soleOperation(text: string): Operation {
  const operation = chooseOperation(parse(text, { noLocation: true }), null)
  if (operation instanceof GraphQLError) throw operation
  return operation
}

function choiceProblem(candidates: number, operationName: string | null | undefined): string {
  if (!operationName)
    return candidates === 0
      ? 'Must provide an operation.'
      : 'Must provide operation name if query contains multiple operations.'
  return candidates === 0
    ? `Unknown operation named "${operationName}".`
    : `There can be only one operation named "${operationName}".`
}

/** Replacements of literals in the hashed text of a document. */
const blanks: Readonly<Partial<Record<TokenKind, string>>> = {
  [TokenKind.STRING]: '""',
  [TokenKind.BLOCK_STRING]: '""',
  [TokenKind.INT]: '0',
  [TokenKind.FLOAT]: '0',
}

function textWithoutLiterals({ loc }: DocumentNode): string {
  const { body } = loc?.source ?? { body: '' }
  let text = ''
  let end = 0
  for (let token: Token | null | undefined = loc?.startToken; token; token = token.next) {
    const blank = blanks[token.kind]
    if (blank === undefined) continue
    text += body.slice(end, token.start) + blank
    end = token.end
  }
  return text + body.slice(end)
}

/**
 * Whether a node is a fragment on the root type of subscriptions. No field returns that type, so all fields of the
 * fragment are root fields.
 */
const isRootFragment = (node: DefinitionNode): node is FragmentDefinitionNode =>
  node.kind === Kind.FRAGMENT_DEFINITION && node.typeCondition.name.value === 'Subscription'

/** Maps the fields of a selection set, also those in inline fragments. */
function mapFields(set: SelectionSetNode, map: (field: FieldNode) => FieldNode): SelectionSetNode {
  const mapped = (selection: SelectionNode): SelectionNode => {
    if (selection.kind === Kind.FIELD) return map(selection)
    return selection.kind === Kind.INLINE_FRAGMENT
      ? { ...selection, selectionSet: mapFields(selection.selectionSet, map) }
      : selection
  }
  return { ...set, selections: set.selections.map(mapped) }
}
