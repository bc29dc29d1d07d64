import { createHash, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { createPool, type RowDataPacket } from 'mysql2/promise'
import type { Owner } from '../fleet.ts'

/**
 * Hand-written check of an authorization at a merchant with coordinates, as a team would write it for this workload alone.
 * It makes the same reads as the service, and the same durable write: the check with its event in one transaction.
 */

export interface PurchaseInput {
  readonly idempotencyKey: string
  readonly vehicleId: string
  readonly cardId: string
  readonly merchant: {
    readonly name: string
    readonly categoryCode: string
    readonly coordinates: Place
  }
  readonly amount: { readonly value: number; readonly currency: string }
}

interface Place {
  readonly longitude: number
  readonly latitude: number
}

interface VehicleRow extends RowDataPacket, Place {
  readonly status: string
  readonly deletedAt: number | null
  readonly connectionStatus: string
  readonly locatedAt: number
  readonly speed: number
}

interface OtherRow extends RowDataPacket {
  readonly purchasedAt: number
  readonly merchant: string
}

const DAY_MS = 86_400_000
const [MAX_METERS, MAX_KMH, MAX_AGE_SECONDS, MAX_KMH_BETWEEN] = [500, 110, 900, 130]

export function mountHandPurchase(
  app: FastifyInstance,
  mysqlUrl: string,
  { applicationId, connectionId }: Owner,
): void {
  const pool = createPool({
    uri: mysqlUrl,
    connectionLimit: 10,
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
  })
  const tenant = [applicationId, connectionId]
  const select = async <Row extends RowDataPacket>(sql: string, parameters: readonly unknown[]) =>
    (await pool.query<Row[]>(sql, [...parameters]))[0]

  app.post<{ Body: { readonly variables: { readonly input: PurchaseInput } } }>(
    '/PURCHASE',
    async ({ body }) => {
      const { input } = body.variables
      const now = Date.now()
      const keyHash = createHash('sha256')
        .update(`${applicationId} ${input.idempotencyKey}`)
        .digest('base64url')
      const [earlier, [vehicle], levels, others, policies, filters] = await Promise.all([
        select('SELECT * FROM purchase_checks WHERE applicationId = ? AND keyHash = ?', [
          applicationId,
          keyHash,
        ]),
        select<VehicleRow>(
          `SELECT v.status, v.deletedAt, v.fuelType, v.fuelTankCapacity, c.status AS connectionStatus, l.longitude,
            l.latitude, l.locatedAt, l.speed, l.engineState, l.fuelPrimaryPercentage
          FROM vehicles AS v JOIN connections AS c ON c.id = v.connectionId
          LEFT JOIN latest_vehicle_locations AS l ON l.vehicleId = v.id
          WHERE v.applicationId = ? AND v.connectionId = ? AND v.id = ?`,
          [...tenant, input.vehicleId],
        ),
        select(
          `SELECT timestamp, value FROM vehicle_stat_logs WHERE applicationId = ? AND connectionId = ? AND vehicleId = ?
          AND type = 'fuel_level' AND timestamp <= ? ORDER BY timestamp DESC LIMIT 1`,
          [...tenant, input.vehicleId, now],
        ),
        select<OtherRow>(
          ['vehicleId', 'cardId']
            .map(
              (column) =>
                `(SELECT id, purchasedAt, merchant, amount, fuel, decision FROM purchase_checks
                WHERE applicationId = ? AND connectionId = ? AND ${column} = ? AND purchasedAt BETWEEN ? AND ?
                ORDER BY purchasedAt DESC LIMIT 50)`,
            )
            .join(' UNION '),
          [input.vehicleId, input.cardId].flatMap((owner) => [...tenant, owner, now - DAY_MS, now + DAY_MS]),
        ),
        select(
          `SELECT version, stage, settings FROM purchase_policies
          WHERE applicationId = ? AND target = 'application' AND effectiveAt <= ? ORDER BY effectiveAt DESC LIMIT 1`,
          [applicationId, now],
        ),
        select('SELECT filters FROM connections WHERE applicationId = ? AND id = ?', tenant),
      ])
      if (earlier.length > 0 || !vehicle)
        throw new Error('The workload sends new purchases of known vehicles.')
      const findings = findingsOf(vehicle, input, others, now)
      const decision = findings.some(({ passes }) => !passes) ? 'decline' : 'approve'
      await record(
        { findings, decision, keyHash, input, now },
        { vehicle, read: levels.length + policies.length + filters.length },
      )
      const decided = decision.toUpperCase()
      const wouldBe = { v1: decided, v2: decided, v3: decided }
      return { data: { checkPurchase: { recorded: true, check: { decision: decided, wouldBe } } } }
    },
  )

  interface Recorded {
    readonly findings: readonly Finding[]
    readonly decision: string
    readonly keyHash: string
    readonly input: PurchaseInput
    readonly now: number
  }

  async function record(
    { findings, decision, keyHash, input, now }: Recorded,
    evidence: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const id = `pchk_${randomUUID().slice(0, 26)}`
    const wouldBe = { v1: decision, v2: decision, v3: decision }
    const check = {
      id,
      applicationId,
      connectionId,
      keyHash,
      inputHash: createHash('sha256').update(JSON.stringify(input)).digest('base64url'),
      idempotencyKey: input.idempotencyKey,
      vehicleId: input.vehicleId,
      cardId: input.cardId,
      purchasedAt: now,
      checkedAt: now,
      phase: 'authorization',
      merchant: JSON.stringify(input.merchant),
      amount: JSON.stringify(input.amount),
      decision,
      stage: 'v2',
      wouldBe: JSON.stringify(wouldBe),
      reasons: JSON.stringify(findings),
      evidence: JSON.stringify(evidence),
      policyVersion: 1,
      milliseconds: Date.now() - now,
    }
    const event = {
      id: `evt_${randomUUID().slice(0, 26)}`,
      applicationId,
      connectionId,
      type: 'purchase.checked',
      occurredAt: now,
      subjectId: id,
      detail: JSON.stringify({
        connection: { id: connectionId },
        purchaseCheck: { ...check, findings, evidence },
      }),
    }
    const connection = await pool.getConnection()
    try {
      await connection.beginTransaction()
      await connection.query('INSERT INTO purchase_checks SET ?', check)
      await connection.query('INSERT INTO events SET ?', event)
      await connection.commit()
    } catch (error) {
      await connection.rollback()
      throw error
    } finally {
      connection.release()
    }
  }
}

interface Finding {
  readonly rule: string
  readonly passes: boolean
  readonly measured: number | null
  readonly limit: number | null
  readonly text: string
}

function findingsOf(
  vehicle: VehicleRow,
  { merchant }: PurchaseInput,
  others: readonly OtherRow[],
  now: number,
): Finding[] {
  const upTo = (rule: string, measured: number, limit: number): Finding => ({
    rule,
    passes: measured <= limit,
    measured,
    limit,
    text: `The value is ${Math.round(measured)}; ${Math.round(limit)} is the limit.`,
  })
  const ageSeconds = (now - vehicle.locatedAt) / 1000
  const reach = MAX_METERS + (ageSeconds * MAX_KMH) / 3.6
  const speeds = others.map(({ purchasedAt, merchant: other }) => {
    const { coordinates } = JSON.parse(other) as PurchaseInput['merchant']
    return (
      metersBetween(merchant.coordinates, coordinates) / 1000 / ((now - purchasedAt + 60_000) / 3_600_000)
    )
  })
  const isUsed =
    vehicle.status === 'active' && vehicle.deletedAt === null && vehicle.connectionStatus === 'connected'
  return [
    upTo('near_merchant', metersBetween(vehicle, merchant.coordinates), reach),
    upTo('fresh_position', ageSeconds, MAX_AGE_SECONDS),
    upTo('standing', vehicle.speed, 10),
    { rule: 'connected', passes: isUsed, measured: null, limit: null, text: 'The vehicle is active.' },
    upTo('one_card_two_places', Math.max(0, ...speeds), MAX_KMH_BETWEEN),
  ]
}

function metersBetween(one: Place, other: Place): number {
  const radians = Math.PI / 180
  const half = (degrees: number) => Math.sin((degrees * radians) / 2) ** 2
  const h =
    half(other.latitude - one.latitude) +
    Math.cos(one.latitude * radians) *
      Math.cos(other.latitude * radians) *
      half(other.longitude - one.longitude)
  return 2 * 6_371_000 * Math.asin(Math.sqrt(h))
}
