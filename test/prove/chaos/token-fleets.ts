import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '../../../src/storage/database.ts'
import type { SandboxProcess } from '../support/sandbox-process.ts'
import type { Fleet } from './fleets.ts'
import { until } from './rest.ts'

const RENEWED_MS = 90_000
/** Time from the renewal at the provider to its answer. */
const ANSWER_MS = 1500
const TOKEN_PATH = '/oauth/token'
const REDIRECT_URI = 'http://127.0.0.1:9/back'

/** Fleets that signed in with OAuth. Their provider replaces the refresh token at each renewal. */
export class TokenFleets {
  private sealedBefore: string | null = null

  constructor(
    readonly all: readonly Fleet[],
    private readonly sandbox: SandboxProcess,
    private readonly db: Database,
  ) {}

  /** Ends the access token of a fleet. Returns once the provider has replaced the tokens, before it answers. */
  async beginRenewal({ apiKey, connectionId }: Fleet): Promise<void> {
    this.sealedBefore = await this.sealedTokens(connectionId)
    const before = await this.sandbox.requests(apiKey, TOKEN_PATH)
    await this.sandbox.control('faults', { key: apiKey, path: TOKEN_PATH, late: true, stallMs: ANSWER_MS })
    await this.sandbox.control('sign-ins', { key: apiKey, end: 'access' })
    await until(RENEWED_MS, async () => (await this.sandbox.requests(apiKey, TOKEN_PATH)) > before)
  }

  /** Waits until the replaced tokens are stored. Returns a problem if they are not. */
  async awaitRenewal({ connectionId }: Fleet): Promise<string | void> {
    const isStored = async () => (await this.sealedTokens(connectionId)) !== this.sealedBefore
    if ((await until(RENEWED_MS, isStored)) === null) return `${connectionId} has lost its tokens`
  }

  private async sealedTokens(connectionId: string): Promise<string | null> {
    const [row] = await this.db.rows<{ credentialsSealed: string | null }>(
      'SELECT `credentialsSealed` FROM `connections` WHERE `id` = ?',
      [connectionId],
    )
    return row?.credentialsSealed ?? null
  }
}

/** Signs in at the provider as a user does in a browser. Returns the credentials of the connection. */
export async function signInAtProvider(url: string, user: string): Promise<Record<string, string>> {
  const verifier = randomBytes(32).toString('base64url')
  const form = {
    response_type: 'code',
    client_id: 'Odograph',
    redirect_uri: REDIRECT_URI,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    user,
    decision: 'allow',
  }
  const request = { method: 'POST', redirect: 'manual' } as const
  const consent = await fetch(`${url}/oauth/authorize`, { ...request, body: new URLSearchParams(form) })
  const code = new URL(consent.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const exchange = {
    grant_type: 'authorization_code',
    client_id: 'Odograph',
    redirect_uri: REDIRECT_URI,
    code,
    code_verifier: verifier,
  }
  const granted = await fetch(url + TOKEN_PATH, { ...request, body: new URLSearchParams(exchange) })
  const { access_token, refresh_token, expires_in } = (await granted.json()) as Grant
  return {
    user,
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAt: new Date(Date.now() + expires_in * 1000).toISOString(),
  }
}

interface Grant {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
}
