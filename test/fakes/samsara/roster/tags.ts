import type { Group } from '../../world/truth.ts'
import type { FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import type { Organization } from '../organization.ts'
import { pageOf } from '../http/pages.ts'

export interface TinyTag {
  readonly id: string
  readonly name: string
  readonly parentTagId?: string
}

/** Returns the short form of a tag in other records. */
export const toTinyTag = ({ number, name, parent }: Group): TinyTag => ({
  id: id('tag', number),
  name,
  ...(parent !== null && { parentTagId: id('tag', parent) }),
})

export const tagsOf = (organization: Organization, groups: readonly number[]): TinyTag[] =>
  groups
    .map((number) => organization.group(number))
    .filter((group) => group !== undefined)
    .map(toTinyTag)

interface Tagged {
  readonly number: number
  readonly name: string
  readonly groups: readonly number[]
}

export function listTags(request: FakeRequest): object {
  const { organization } = request
  const { items, pagination } = pageOf(request, organization.groups(), ({ number }) => [number])
  const drivers = organization
    .drivers()
    .map((driver) => ({ ...driver, name: `${driver.firstName} ${driver.lastName}` }))
  return { data: items.map((group) => toTag(organization, group, drivers)), pagination }
}

function toTag(organization: Organization, group: Group, drivers: readonly Tagged[]): object {
  const members = (kind: 'driver' | 'vehicle', all: readonly Tagged[]) =>
    all
      .filter(({ groups }) => groups.includes(group.number))
      .map(({ number, name }) => ({ id: id(kind, number), name }))
  const parent = group.parent === null ? undefined : organization.group(group.parent)
  return {
    ...toTinyTag(group),
    ...(parent && { parentTag: { id: id('tag', parent.number), name: parent.name } }),
    vehicles: members('vehicle', organization.vehicles()),
    drivers: members('driver', drivers),
  }
}
