import { arrayHolds, type Dialect } from '../../storage/sql/dialect.ts'
import { either, oneOf, type Where } from '../../storage/sql/where.ts'
import { distinctIds } from '../schema/id-arguments.ts'

/** Returns the condition for members of one of the groups. */
export function memberOf(dialect: Dialect, groupIds: readonly string[] | null | undefined): Where | null {
  const ids = distinctIds('group', groupIds)
  if (ids === null) return null
  return either(...ids.map((id) => memberOfGroup(dialect, id))) ?? oneOf('id', [])
}

/** Returns the condition for vehicles, drivers or trailers that the provider assigns to the group itself. */
export const memberOfGroup = (dialect: Dialect, groupId: string): Where => ({
  sql: arrayHolds(dialect, 'groupIds', '$'),
  parameters: [groupId],
})
