import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'

/**
 * A subscription that its reader had begun before, from after the last event that arrived there: the id takes the
 * place of the root field's argument `after`.
 */
export function resumeAfter(document: DocumentNode, eventId: string): DocumentNode {
  return {
    ...document,
    definitions: document.definitions.map((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? setAfterArgument(definition, eventId) : definition,
    ),
  }
}

function setAfterArgument(operation: OperationDefinitionNode, eventId: string): OperationDefinitionNode {
  const selections = operation.selectionSet.selections.map((selection) =>
    selection.kind === Kind.FIELD ? fieldAfter(selection, eventId) : selection,
  )
  return { ...operation, selectionSet: { ...operation.selectionSet, selections } }
}

function fieldAfter(field: FieldNode, eventId: string): FieldNode {
  const after: ArgumentNode = {
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: 'after' },
    value: { kind: Kind.STRING, value: eventId },
  }
  const others = (field.arguments ?? []).filter(({ name }) => name.value !== 'after')
  return { ...field, arguments: [...others, after] }
}
