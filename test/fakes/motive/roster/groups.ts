import type { FakeRequest } from '../fake-request.ts'
import { id, numberOf } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { Refusal } from '../refusal.ts'

export const listGroups = (request: FakeRequest): object =>
  pageOf(
    request,
    { list: 'groups', item: 'group' },
    request.company.groups().filter(({ updatedAt }) => request.isChanged(updatedAt)),
    ({ number, name, parent }) => ({
      id: id('group', number),
      name,
      company_id: request.company.id,
      parent_id: parent === null ? null : id('group', parent),
      user: null,
    }),
  )

/** `/v1/groups/{id}/vehicles`: the vehicles of a group, with few fields. */
export const listGroupVehicles = (request: FakeRequest): object =>
  pageOf(
    request,
    { list: 'vehicles', item: 'vehicle' },
    membersOf(request, request.company.vehicles()),
    ({ number, name, isActive, make, model }) => ({
      id: id('vehicle', number),
      number: name,
      status: isActive ? 'active' : 'deactivated',
      make,
      model,
    }),
  )

/** `/v1/groups/{id}/users`. */
export const listGroupUsers = (request: FakeRequest): object =>
  pageOf(
    request,
    { list: 'users', item: 'user' },
    membersOf(request, request.company.drivers()),
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
  { company, id: given }: FakeRequest,
  all: readonly Member[],
): readonly Member[] {
  const number = numberOf('group', given)
  if (!company.groups().some((group) => group.number === number)) throw new Refusal(404, 'Group not found')
  return all.filter(({ groups }) => groups.includes(number))
}
