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
} from 'graphql'
import { errorCodes } from '../domain/errors.ts'

/** Callers choose the names, so in logs and metrics they are cut. */
const MAX_SHORT_NAME_LENGTH = 100

type Variables = Readonly<Record<string, unknown>>

export interface OperationWithVariables {
  readonly operation: Operation
  readonly variables?: Variables | null | undefined
}

/**
 * The one operation that a request runs. `chooseOperation` is the only way to one. Authorization, routing, metrics,
 * compilation and execution all take it in place of a document and a name. Its document holds no other operation, so
 * no executor can run one that was not authorized.
 */
export class Operation {
  /** The operations of a document; the same objects each time, since caches are keyed by them. */
  private static readonly known = new WeakMap<DocumentNode, readonly Operation[]>()

  private constructor(
    readonly definition: OperationDefinitionNode,
    /** This operation, and the fragments of the document that it came in. */
    readonly document: DocumentNode,
  ) {}

  static allIn(document: DocumentNode): readonly Operation[] {
    const known = Operation.known.get(document) ?? Operation.split(document)
    Operation.known.set(document, known)
    return known
  }

  private static split(document: DocumentNode): readonly Operation[] {
    const { definitions } = document
    const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
    if (operations.length === 1) return operations.map((only) => new Operation(only, document))
    const others = definitions.filter((node) => node.kind !== Kind.OPERATION_DEFINITION)
    return operations.map((one) => new Operation(one, { ...document, definitions: [one, ...others] }))
  }

  get type(): `${OperationDefinitionNode['operation']}` {
    return this.definition.operation
  }

  get name(): string | null {
    return this.definition.name?.value ?? null
  }

  /** For logs and metrics. */
  get shortName(): string | null {
    return this.name?.slice(0, MAX_SHORT_NAME_LENGTH) ?? null
  }

  /** The same subscription from after an event: its id takes the place of the root field's argument `after`. */
  resumedAfter(eventId: string): Operation {
    const after: ArgumentNode = {
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: 'after' },
      value: { kind: Kind.STRING, value: eventId },
    }
    const resumed = (field: FieldNode): FieldNode => {
      const others = (field.arguments ?? []).filter(({ name }) => name.value !== 'after')
      return { ...field, arguments: [...others, after] }
    }
    const definition = { ...this.definition, selectionSet: mapFields(this.definition.selectionSet, resumed) }
    const definitions = this.document.definitions.map((node) => {
      if (node === this.definition) return definition
      return isOfRoot(node) ? { ...node, selectionSet: mapFields(node.selectionSet, resumed) } : node
    })
    return new Operation(definition, { ...this.document, definitions })
  }
}

/** The operation that a request names, or the only one of its document; else the error for the caller. */
export function chooseOperation(
  document: DocumentNode,
  operationName: string | null | undefined,
): Operation | GraphQLError {
  const all = Operation.allIn(document)
  const candidates = operationName == null ? all : all.filter(({ name }) => name === operationName)
  const [only] = candidates
  if (only && candidates.length === 1) return only
  const { graphql: code } = errorCodes.bad_request
  return new GraphQLError(choiceProblem(candidates.length, operationName), { extensions: { code } })
}

/** The operation of a text of ours that holds no other. */
export function soleOperation(text: string): Operation {
  const operation = chooseOperation(parse(text, { noLocation: true }), null)
  if (operation instanceof GraphQLError) throw operation
  return operation
}

function choiceProblem(candidates: number, operationName: string | null | undefined): string {
  if (operationName == null)
    return candidates === 0
      ? 'Must provide an operation.'
      : 'Must provide operation name if query contains multiple operations.'
  return candidates === 0
    ? `Unknown operation named "${operationName}".`
    : `There can be only one operation named "${operationName}".`
}

/** No field leads to the root type, so a fragment on it holds root fields alone. */
const isOfRoot = (node: DefinitionNode): node is FragmentDefinitionNode =>
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
