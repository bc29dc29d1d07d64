import type { Asked } from '../asked.ts'
import { id, numberOf } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { Refusal } from '../refusal.ts'

export const listGroups = (asked: Asked): object =>
  pageOf(
    asked,
    { list: 'groups', item: 'group' },
    asked.company.groups().filter(({ updatedAt }) => asked.isChanged(updatedAt)),
    ({ number, name, parent }) => ({
      id: id('group', number),
      name,
      company_id: asked.company.id,
      parent_id: parent === null ? null : id('group', parent),
      user: null,
    }),
  )

/** `/v1/groups/{id}/vehicles`: those that are in it, with not much about them. */
export const listGroupVehicles = (asked: Asked): object =>
  pageOf(
    asked,
    { list: 'vehicles', item: 'vehicle' },
    membersOf(asked, asked.company.vehicles()),
    ({ number, name, isActive, make, model }) => ({
      id: id('vehicle', number),
      number: name,
      status: isActive ? 'active' : 'deactivated',
      make,
      model,
    }),
  )

/** `/v1/groups/{id}/users`. */
export const listGroupUsers = (asked: Asked): object =>
  pageOf(
    asked,
    { list: 'users', item: 'user' },
    membersOf(asked, asked.company.drivers()),
    ({ number, firstName, lastName, isActive }) => ({
      id: id('user', number),
      first_name: firstName,
      last_name: lastName,
      cycle: '70_8',
      status: isActive ? 'active' : 'deactivated',
      role: 'driver',
    }),
  )

function membersOf<Member extends { readonly groups: readonly number[] }>(
  { company, id: given }: Asked,
  all: readonly Member[],
): readonly Member[] {
  const number = numberOf('group', given)
  if (!company.groups().some((group) => group.number === number)) throw new Refusal(404, 'Group not found')
  return all.filter(({ groups }) => groups.includes(number))
}
