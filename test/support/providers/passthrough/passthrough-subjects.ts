import { expect } from 'vitest'
import type { ProviderAdapter, ProviderCredentials } from '../../../../src/providers/provider.ts'
import type { Clock } from '../../../../src/domain/time.ts'
import { adapters } from '../adapters.ts'
import type { RecordedRequest } from './request-recorder.ts'

/** A passthrough request, and its expected form at the provider. */
interface Passed {
  readonly request: { readonly method: string; readonly path: string; readonly body?: string }
  /** URL at the provider. */
  readonly arrivesAt: string
  /** Expected part of the response. */
  readonly answers: unknown
}

/** An adapter with its passthrough specifics. */
export interface PassingSubject {
  readonly provider: string
  readonly adapter: (url: string, clock: Clock) => ProviderAdapter
  readonly credentials: (url: string) => ProviderCredentials
  readonly usual: Passed
  /** Path and body of another request. */
  readonly other: { readonly path: string; readonly body: (text: string) => string }
  /** Authentication headers of this provider, with foreign credentials. */
  readonly forged?: Readonly<Record<string, string>>
  /** Secrets that the request to the provider must have and the response must not. */
  readonly secretsIn: (heard: RecordedRequest) => readonly string[]
  /** Their expected values for a connection with these credentials. */
  readonly shown: readonly unknown[]
}

const bearer = ({ headers }: RecordedRequest) => [String(headers.authorization).replace('Bearer ', '')]

export const subjects: readonly PassingSubject[] = [
  {
    provider: 'samsara',
    adapter: adapters.samsara,
    credentials: () => ({ token: 'fake-token-1', region: 'us' }),
    usual: {
      request: { method: 'GET', path: '/fleet/vehicles?limit=1' },
      arrivesAt: '/fleet/vehicles?limit=1',
      answers: { data: [expect.objectContaining({ id: expect.any(String) })] },
    },
    other: { path: '/things', body: (text) => JSON.stringify({ text }) },
    secretsIn: bearer,
    shown: ['fake-token-1'],
  },
  {
    provider: 'traccar',
    adapter: adapters.traccar,
    credentials: (url) => ({ serverUrl: url, token: 'token-10' }),
    usual: {
      request: { method: 'GET', path: '/devices?all=true' },
      arrivesAt: '/api/devices?all=true',
      answers: expect.arrayContaining([expect.objectContaining({ uniqueId: expect.any(String) })]),
    },
    other: { path: '/things', body: (text) => JSON.stringify({ text }) },
    secretsIn: bearer,
    shown: ['token-10'],
  },
  {
    provider: 'motive',
    adapter: adapters.motive,
    credentials: () => ({ apiKey: 'fake-key-10' }),
    usual: {
      request: { method: 'GET', path: '/v1/vehicles?per_page=1' },
      arrivesAt: '/v1/vehicles?per_page=1',
      answers: { vehicles: [{ vehicle: expect.objectContaining({ id: expect.any(Number) }) }] },
    },
    other: { path: '/v1/things', body: (text) => JSON.stringify({ text }) },
    forged: { 'X-Api-Key': 'stolen' },
    secretsIn: ({ headers }) => [String(headers['x-api-key'])],
    shown: ['fake-key-10'],
  },
  {
    provider: 'geotab',
    adapter: adapters.geotab,
    credentials: (url) => ({
      server: new URL(url).host,
      database: 'fleet_1',
      userName: 'reader@fleet.example',
      password: 'the password of reader@fleet.example',
    }),
    usual: {
      request: {
        method: 'POST',
        path: '/apiv1',
        body: JSON.stringify({ method: 'Get', params: { typeName: 'Device', resultsLimit: 1 } }),
      },
      arrivesAt: '/apiv1',
      answers: { result: [expect.objectContaining({ serialNumber: expect.any(String) })] },
    },
    other: { path: '/apiv1', body: (text) => JSON.stringify({ method: 'Add', params: { text } }) },
    secretsIn: ({ body }) => [
      (JSON.parse(body) as { params: { credentials: { sessionId: string } } }).params.credentials.sessionId,
    ],
    // The id of the session that it opened with the password.
    shown: [expect.stringMatching(/^[\w-]{8,}$/)],
  },
]
