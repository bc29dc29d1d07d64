import { invalidMember, PublicError } from '../../../domain/errors.ts'
import { isId } from '../../../domain/ids.ts'
import type { Clock } from '../../../domain/time.ts'
import type { Database, Rows } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { and, equal, tenantWhere } from '../../../storage/sql/where.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import { lockAgainstDeletion } from '../../tables/lock-against-deletion.ts'
import type { VisibleRequester } from '../../tables/visible-reads.ts'
import { Vehicle } from '../vehicle.ts'
import type { SetVehicleFactsInput } from './set-vehicle-facts-input.ts'
import { type FactValues, OwnVehicleFacts } from './vehicle-facts.ts'

/** Dependencies of vehicle commands, one set per process. */
export interface VehicleCommandDeps {
  readonly db: Pick<Database, 'rows' | 'dialect' | 'transaction'>
  readonly clock: Clock
}

const facts = tableOf(OwnVehicleFacts)
const vehicles = tableOf(Vehicle)

const MAX_CAPACITY_LITERS = 10_000
const MAX_TANKS = 10
const MAX_LITERS_PER_100_KM = 1000

/** Replaces the application's own facts about a vehicle. Without any fact in the input, the vehicle has none afterwards. */
export async function setVehicleFacts(
  { db, clock }: VehicleCommandDeps,
  requester: VisibleRequester,
  input: SetVehicleFactsInput,
): Promise<Vehicle> {
  const { vehicle, values } = await checkVehicleFacts(db, requester, input)
  const { applicationId } = requester.caller
  const { id, connectionId } = vehicle
  const members = Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [name]))
  const overrules = input.overrules ?? false
  const now = clock.now()
  const row: OwnVehicleFacts = {
    vehicleId: id,
    applicationId,
    connectionId,
    ...values,
    overrules: Number(overrules),
    modifiedAt: now,
  }
  await db.transaction(async (tx) => {
    if (!(await lockAgainstDeletion(tx, { id: connectionId, applicationId }))) throw noSuchVehicle()
    if (members.length > 0) await tx.upsert(facts, [row])
    else
      await tx.run('DELETE FROM `vehicle_facts` WHERE `vehicleId` = ? AND `applicationId` = ?', [
        id,
        applicationId,
      ])
    const change = { action: 'vehicle_facts.set', targetId: id, detail: { members, overrules } }
    await recordAudit(tx, auditedBy(requester.caller, now), change)
  })
  return vehicle
}

/** Returns the vehicle and the facts of an input. Throws if the input is invalid, or the caller has no such vehicle. */
export async function checkVehicleFacts(
  db: Rows,
  { caller, visible }: VisibleRequester,
  input: SetVehicleFactsInput,
): Promise<{ readonly vehicle: Vehicle; readonly values: FactValues }> {
  const values = valuesIn(input)
  const { vehicleId } = input
  if (!isId('vehicle', vehicleId)) throw invalidMember('vehicleId', 'Give the id of a vehicle.')
  const where = and(tenantWhere(caller), equal('id', vehicleId))
  const [[row], shown] = await Promise.all([
    db.rows<Record<string, unknown>>(
      `SELECT ${vehicles.selected} FROM \`vehicles\` WHERE ${where.sql}`,
      where.parameters,
    ),
    visible.reference('vehicles', vehicleId),
  ])
  if (!row || !shown) throw noSuchVehicle()
  return { vehicle: vehicles.toRow(row), values }
}

function valuesIn({
  fuelTankCapacity = null,
  fuelTankCount = null,
  fuelType = null,
  fuelConsumption = null,
}: SetVehicleFactsInput): FactValues {
  if (fuelTankCapacity !== null && !isPositiveUpTo(MAX_CAPACITY_LITERS, fuelTankCapacity))
    throw invalidMember('fuelTankCapacity', 'Give more than 0 and at most 10,000 liters.')
  if (
    fuelTankCount !== null &&
    !(isPositiveUpTo(MAX_TANKS, fuelTankCount) && Number.isInteger(fuelTankCount))
  )
    throw invalidMember('fuelTankCount', 'Give a whole number from 1 to 10.')
  if (fuelConsumption !== null && !isPositiveUpTo(MAX_LITERS_PER_100_KM, fuelConsumption))
    throw invalidMember('fuelConsumption', 'Give more than 0 and at most 1,000 liters per 100 km.')
  return { fuelTankCapacity, fuelTankCount, fuelType, fuelConsumption }
}

const isPositiveUpTo = (maximum: number, value: number): boolean => value > 0 && value <= maximum

const noSuchVehicle = () => new PublicError('not_found', 'There is no such vehicle.')
