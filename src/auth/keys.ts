import { createHash, randomBytes, randomInt } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32

export type Environment = 'prod' | 'sandbox'

/** Returns 32 random letters and digits: 190 bits. */
export function randomPart(): string {
  let out = ''
  for (let i = 0; i < RANDOM_LENGTH; i++) out += ALPHABET[randomInt(ALPHABET.length)]
  return out
}

export const newSecretKey = (environment: Environment) => `sk_${environment}_${randomPart()}`
export const newPublishableKey = (environment: Environment) => `pk_${environment}_${randomPart()}`
export const newConnectionToken = () => `con_tkn_${randomPart()}`
export const newPublicToken = () => `pub_tkn_${randomPart()}`
/** Returns the last part of the URL to which a provider sends its webhook messages. */
export const newHookToken = () => `hook_tkn_${randomPart()}`

/** Returns the code of a sign-in link to the dashboard. */
export const newSignInCode = () => `sig_${randomPart()}`

/** Returns a signing secret of a webhook endpoint in the format of Standard Webhooks: 32 bytes in base64. */
export const newSigningSecret = () => `whsec_${randomBytes(32).toString('base64')}`

export const SECRET_KEY = /^sk_[a-z]+_[0-9A-Za-z]{32}$/
export const PUBLISHABLE_KEY = /^pk_[a-z]+_\w+$/
export const CONNECTION_TOKEN = /^con_tkn_\S+$/
export const PUBLIC_TOKEN = /^pub_tkn_\S+$/
export const SIGN_IN_CODE = /^sig_[0-9A-Za-z]{32}$/
export const HOOK_TOKEN = /^hook_tkn_[0-9A-Za-z]{32}$/

/** Returns the hash by which a stored key or token is found. The hash does not reveal the key or token. */
export const hashKey = (token: string): string => createHash('sha256').update(token).digest('base64url')
