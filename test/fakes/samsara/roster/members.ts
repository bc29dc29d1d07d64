import type { FakeRequest } from '../http/call.ts'
import { listed, timeIn } from '../http/call.ts'
import { id } from '../ids.ts'

interface Member {
  readonly createdAt: number
  readonly updatedAt: number
  readonly groups: readonly number[]
}

/** Returns the roster members that the query selects. */
export function selectedMembers<M extends Member>(
  { query }: FakeRequest,
  members: readonly M[],
): readonly M[] {
  const [updatedAfter, createdAfter] = [timeIn(query, 'updatedAfterTime'), timeIn(query, 'createdAfterTime')]
  const tags = listed(query, 'tagIds')
  return members.filter(
    ({ createdAt, updatedAt, groups }) =>
      (updatedAfter === null || updatedAt > updatedAfter) &&
      (createdAfter === null || createdAt > createdAfter) &&
      (tags.length === 0 || groups.some((group) => tags.includes(id('tag', group)))),
  )
}
