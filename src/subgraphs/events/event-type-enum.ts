import { registerEnumType } from 'type-graphql'
import { eventTypes } from '../../domain/event-catalog.ts'

const nameOf = (type: string): string => type.toUpperCase().replaceAll('.', '_')

/** Event types as the log stores them, by their names in GraphQL. */
export const EventTypeEnum: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(eventTypes).map((type) => [nameOf(type), type]),
)

registerEnumType(EventTypeEnum, {
  name: 'EventType',
  description: 'The types of events.',
  valuesConfig: Object.fromEntries(
    Object.entries(eventTypes).map(([type, { description }]) => [nameOf(type), { description }]),
  ),
})
