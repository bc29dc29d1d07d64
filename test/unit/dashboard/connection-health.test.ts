import { expect, test } from 'vitest'
import {
  adviceOf,
  byUrgency,
  type ConnectionRow,
  healthOf,
} from '../../../dashboard/src/connections/connection-health.ts'

const row = (values: Partial<ConnectionRow> = {}): ConnectionRow => ({
  id: 'conn_1',
  status: 'CONNECTED',
  syncMode: 'AUTOMATIC',
  externalId: null,
  tags: [],
  createdAt: '2026-11-01T00:00:00Z',
  disconnectedAt: null,
  deletionScheduledAt: null,
  lastSuccessfulSyncAt: null,
  linkUrl: 'https://telematics.example.com/link/connection/conn_1',
  company: { name: 'Ironwood Freight' },
  provider: { code: 'sandbox', name: 'Sandbox' },
  lastSync: null,
  issues: { pageInfo: { hasNextPage: false }, nodes: [] },
  ...values,
})
const sync = (status: NonNullable<ConnectionRow['lastSync']>['status']) => ({
  id: 'sync_1',
  status,
  requestedAt: '2026-11-30T00:00:00Z',
  completedAt: null,
  progress: 0,
  failureReason: null,
})
const issues: ConnectionRow['issues'] = {
  pageInfo: { hasNextPage: false },
  nodes: [
    {
      id: 'iss_1',
      lastReportedAt: '2026-11-30T00:00:00Z',
      documentationUrl: null,
      error: { code: 'PERMISSION_MISSING', message: 'The account may not read trips.' },
    },
  ],
}

test.each([
  ['healthy', {}],
  ['healthy', { lastSync: sync('COMPLETED') }],
  ['healthy', { issues: null }],
  ['incomplete', { issues }],
  ['failing', { lastSync: sync('FAILED'), issues }],
  ['broken', { status: 'DISCONNECTED', lastSync: sync('FAILED'), issues }],
  ['inactive', { status: 'ARCHIVED', issues }],
  ['inactive', { status: 'PENDING_DELETION' }],
] as const)('a connection is %s: %j', (health, values) => {
  expect(healthOf(row(values))).toBe(health)
})

test('each state that needs a person has advice', () => {
  expect(adviceOf(row())).toBeNull()
  expect(adviceOf(row({ status: 'DISCONNECTED' }))).toContain('Send the fleet the sign-in link')
  expect(adviceOf(row({ status: 'DISCONNECTED', linkUrl: null }))).toContain('link its account again')
  expect(adviceOf(row({ lastSync: sync('FAILED') }))).toContain('The next sync tries again')
  expect(adviceOf(row({ issues }))).toContain('The issues say which')
  expect(adviceOf(row({ status: 'PENDING_DELETION' }))).toContain('can be cancelled')
})

test('the most urgent connection comes first, then they come by name', () => {
  const named = (name: string, values: Partial<ConnectionRow> = {}) => row({ company: { name }, ...values })
  const rows = [named('B'), named('A'), named('C', { issues }), named('D', { status: 'DISCONNECTED' })]
  expect(rows.sort(byUrgency).map(({ company }) => company.name)).toEqual(['D', 'C', 'A', 'B'])
})
