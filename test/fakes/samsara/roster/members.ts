import type { Asked } from '../call.ts'
import { listed, timeIn } from '../call.ts'
import { id } from '../ids.ts'

interface Member {
  readonly createdAt: number
  readonly updatedAt: number
  readonly groups: readonly number[]
}

/** Those of a roster that the query asks for. */
export function asked<M extends Member>({ query }: Asked, members: readonly M[]): readonly M[] {
  const [updatedAfter, createdAfter] = [timeIn(query, 'updatedAfterTime'), timeIn(query, 'createdAfterTime')]
  const tags = listed(query, 'tagIds')
  return members.filter(
    ({ createdAt, updatedAt, groups }) =>
      (updatedAfter === null || updatedAt > updatedAfter) &&
      (createdAfter === null || createdAt > createdAfter) &&
      (tags.length === 0 || groups.some((group) => tags.includes(id('tag', group)))),
  )
}
