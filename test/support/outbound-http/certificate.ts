import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto'

/** A self-signed certificate and its key, as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

interface Wanted {
  readonly name: string
  readonly from: Date
  readonly until: Date
}

/** Creates a certificate for a name and a validity period, which may be in the past. */
export function certificateFor({ name, from, until }: Wanted): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const described = describedAs(name, from, until, publicKey)
  const signature = sign('sha256', described, privateKey)
  const der = sequence(described, ECDSA_SHA256, tagged(0x03, Buffer.from([0]), signature))
  const lines = der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function describedAs(name: string, from: Date, until: Date, publicKey: KeyObject): Buffer {
  const named = sequence(tagged(0x31, sequence(hex('0603550403'), tagged(0x0c, Buffer.from(name)))))
  const alternative = sequence(tagged(0x82, Buffer.from(name)))
  const extension = sequence(hex('0603551d11'), tagged(0x04, alternative))
  return sequence(
    hex('a003020102'),
    hex('020101'),
    ECDSA_SHA256,
    named,
    sequence(time(from), time(until)),
    named,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(extension)),
  )
}

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const inside = Buffer.concat(parts)
  const long = inside.length < 256 ? [0x81, inside.length] : [0x82, inside.length >> 8, inside.length & 255]
  return Buffer.concat([Buffer.from([tag, ...(inside.length < 128 ? [inside.length] : long)]), inside])
}

const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, ...parts)

/** Encodes UTCTime, whose year has two digits. */
const time = (at: Date): Buffer =>
  tagged(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`))

const ECDSA_SHA256 = sequence(hex('06082a8648ce3d040302'))
