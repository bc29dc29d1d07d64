import { type GraphQLSchema, visit } from 'graphql'
import { walkSelectedFields } from './execution/selected-fields.ts'
import type { Operation, OperationWithVariables } from './operation.ts'

/**
 * Fields with secret values, by type. A response with such a field is not compressed, because its size could reveal
 * the secret. A token or a private URL is secret, because it gives access to something.
 * Fields that can contain such a value count too: a raw record can contain a signed URL of the provider, and the
 * request of a webhook contains an event.
 */
const secretFields: Readonly<Record<string, readonly string[]>> = {
  CameraMediaFile: ['videoUrl'],
  Connection: ['token', 'linkUrl'],
  // The detail of some events contains the connection token.
  Event: ['detail'],
  RawData: ['data'],
  ShortLink: ['code', 'url'],
  WebhookEndpoint: ['url'],
  WebhookRequest: ['url', 'headers', 'body'],
  WebhookResponse: ['headers', 'body'],
}

/** Names of fields that are secret in every type. They cover the fields that custom subgraphs add. */
const SECRET_NAME = /token|secret|password|credential/i

const secretFieldNames = new Set(Object.values(secretFields).flat())

/** Whether the value of a field is secret. */
export const isSecretField = (typeName: string, field: string): boolean =>
  SECRET_NAME.test(field) || (secretFields[typeName]?.includes(field) ?? false)

/**
 * Whether an operation selects a field with the name of a secret field, whatever its type and conditions. Most
 * operations do not. Their fields need not be walked with the variables of each request.
 */
const namesSecret = new WeakMap<Operation, boolean>()

/** Whether the result of an operation with these variables contains a secret. */
export function selectsSecret(request: OperationWithVariables, schema: GraphQLSchema): boolean {
  const { operation } = request
  const mayContain = namesSecret.get(operation) ?? namesSecretField(operation)
  namesSecret.set(operation, mayContain)
  if (!mayContain) return false
  let found = false
  walkSelectedFields(request, schema, ({ parent, name }) => {
    found ||= isSecretField(parent.name, name)
  })
  return found
}

function namesSecretField({ document }: Operation): boolean {
  let found = false
  visit(document, {
    Field({ name: { value } }) {
      found ||= secretFieldNames.has(value) || SECRET_NAME.test(value)
    },
  })
  return found
}
