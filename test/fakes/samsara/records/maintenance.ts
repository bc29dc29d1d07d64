import type { FakeRequest } from '../http/call.ts'
import { idNumber } from '../ids.ts'
import { faultReports, fmiText, toDtc } from '../stats/faults.ts'

/** `/v1/fleet/maintenance/list`: open fault codes, in the old format. */
export function maintenanceList({ organization }: FakeRequest): object {
  const vehicles = organization.vehicles().map((vehicle) => {
    const active = faultReports(organization, vehicle).at(-1)?.active ?? []
    const isOn = active.some(({ lamp }) => lamp)
    const passenger = active.flatMap(toDtc)
    const codes = active.flatMap(({ code, description }) =>
      code.protocol === 'j1939'
        ? {
            spnId: code.spn,
            spnDescription: description,
            fmiId: code.fmi,
            fmiText: fmiText(code.fmi),
            occurrenceCount: 1,
            txId: code.source,
          }
        : [],
    )
    const lights = { emissionsIsOn: false, protectIsOn: false, stopIsOn: false, warningIsOn: isOn }
    return {
      id: idNumber('vehicle', vehicle.number),
      ...(codes.length > 0 && { j1939: { checkEngineLight: lights, diagnosticTroubleCodes: codes } }),
      ...(passenger.length > 0 && {
        passenger: { checkEngineLight: { isOn }, diagnosticTroubleCodes: passenger },
      }),
    }
  })
  return { vehicles }
}
