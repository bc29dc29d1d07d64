import type { FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'

/** `/me`: the organization of the token. */
export function getMe({ organization }: FakeRequest): object {
  const { number, name, usdotNumber } = organization.world.account
  return {
    data: {
      id: id('organization', number),
      name,
      carrierSettings: { carrierName: name, dotNumber: usdotNumber, mainOfficeAddress: '1 Fake Way' },
    },
  }
}
