import { describe, expect, test } from 'vitest'
import { mergePolicies } from '../../../src/subgraphs/purchases/policy/effective-policy.ts'
import { defaultPolicy, PurchaseStage, RuleAction } from '../../../src/subgraphs/purchases/policy/policy.ts'
import type { StoredPurchasePolicy } from '../../../src/subgraphs/purchases/policy/purchase-policy.ts'
import { asRow, NOON } from '../../support/factories.ts'

const { V1, V2 } = PurchaseStage
const { CONFIRM, DECLINE, OFF } = RuleAction

const policy = (version: number, target: string, values: Partial<StoredPurchasePolicy> = {}) =>
  asRow<StoredPurchasePolicy>({
    id: `ppl_${version}`,
    applicationId: 'app_1',
    version,
    target,
    stage: null,
    settings: {},
    effectiveAt: NOON,
    createdAt: NOON,
    ...values,
  })

describe('policies', () => {
  test('are the defaults if none is set', () => {
    expect(mergePolicies([])).toBe(defaultPolicy)
    expect(defaultPolicy).toMatchObject({ version: 0, stage: 'v0' })
  })

  test('inherit what they leave out, from the wider target', () => {
    const merged = mergePolicies([
      policy(3, 'vehicle:vcl_1', { settings: { near_merchant: { limits: { maxDistanceMeters: 50 } } } }),
      policy(1, 'application:', {
        stage: V1,
        settings: {
          near_merchant: { action: CONFIRM, limits: { maxDistanceMeters: 900, maxSpeedKmh: 80 } },
          standing: { action: DECLINE, limits: {} },
        },
      }),
      policy(2, 'connection:conn_1', { stage: V2, settings: { standing: { action: OFF, limits: {} } } }),
    ])
    expect(merged).toMatchObject({
      version: 3,
      stage: V2,
      rules: {
        near_merchant: { action: CONFIRM, limits: { maxDistanceMeters: 50, maxSpeedKmh: 80 } },
        standing: { action: OFF, limits: { maxSpeedKmh: 10, withinSeconds: 60 } },
        tank_fits: { action: DECLINE, limits: defaultPolicy.rules.tank_fits.limits },
      },
    })
  })

  test.each([
    ['tag:west', 'application:'],
    ['connection:conn_1', 'tag:west'],
    ['group:grp_1', 'connection:conn_1'],
    ['vehicle:vcl_1', 'group:grp_1'],
  ])('of %s override those of %s, whichever was set later', (specific, wide) => {
    const [own, wider] = [policy(1, specific, { stage: V1 }), policy(2, wide, { stage: V2 })]
    expect(mergePolicies([own, wider])).toMatchObject({ stage: V1, version: 2 })
    expect(mergePolicies([wider, own])).toMatchObject({ stage: V1, version: 2 })
  })

  test('do not take limits of other rules', () => {
    const odd = policy(1, 'application:', { settings: { connected: { limits: { maxPurchases: 3 } } } })
    expect(mergePolicies([odd]).rules.connected.limits).toEqual({})
  })
})
