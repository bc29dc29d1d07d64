import { Field, ObjectType } from 'type-graphql'
import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import { encryptionContext } from '../../tables/encrypted-columns.ts'
import type { WebhookEndpoint } from './webhook-endpoint.ts'

/** Custom header of an endpoint: each request to the endpoint has it, besides the headers of the service. */
export interface EndpointHeader {
  readonly name: string
  /** Secret, for example an API key of the receiver. */
  readonly value: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'A custom header of an endpoint. Its value is never shown again.',
})
export class WebhookHeader {
  @Field(() => String, { description: 'The name of the header, as it was given.' })
  name: string

  @Field(() => String, {
    description:
      'Dots, and the last four characters of a value that has 16 or more. The value of basic authentication is dots only.',
  })
  maskedValue: string
}

/** Encrypts the headers of an endpoint for its row. Null if there are none. */
export const sealHeaders = (
  secrets: Pick<EnvelopeEncryption, 'seal'>,
  endpoint: Pick<WebhookEndpoint, 'id' | 'applicationId'>,
  headers: readonly EndpointHeader[],
): string | null => (headers.length === 0 ? null : secrets.seal(JSON.stringify(headers), contextOf(endpoint)))

/** Decrypts the headers of an endpoint. */
export const openHeaders = (
  secrets: Pick<EnvelopeEncryption, 'open'>,
  endpoint: Pick<WebhookEndpoint, 'id' | 'applicationId' | 'headersSealed'>,
): readonly EndpointHeader[] =>
  endpoint.headersSealed
    ? (JSON.parse(secrets.open(endpoint.headersSealed, contextOf(endpoint))) as EndpointHeader[])
    : []

const contextOf = (endpoint: Pick<WebhookEndpoint, 'id' | 'applicationId'>): string =>
  encryptionContext('webhook_endpoints.headersSealed', endpoint)

const DOTS = '••••••••'
const SHOWN_CHARACTERS = 4
/** A shorter value has no characters to spare. */
const MIN_SHOWN_LENGTH = 16

/** Hides the value of a header. The number of dots does not depend on the value. */
export const maskHeader = ({ name, value }: EndpointHeader): WebhookHeader => ({
  name,
  maskedValue:
    value.length < MIN_SHOWN_LENGTH || isBasicAuthentication({ name, value })
      ? DOTS
      : DOTS + value.slice(-SHOWN_CHARACTERS),
})

export const isAuthorization = ({ name }: Pick<EndpointHeader, 'name'>): boolean =>
  name.toLowerCase() === 'authorization'

/** Whether a header contains a user name and a password. The end of its value decodes to the end of the password. */
export const isBasicAuthentication = (header: EndpointHeader): boolean =>
  isAuthorization(header) && /^basic /i.test(header.value)
