import { type GraphQLSchema, visit } from 'graphql'
import { walkSelectedFields } from './execution/selected-fields.ts'
import type { Operation, OperationWithVariables } from './operation.ts'

/**
 * Fields whose values give access to something, by type. Values whose content the service does not control may:
 * raw records can contain signed addresses of the provider, and requests of webhooks contain what events do.
 */
const secretFields: Readonly<Record<string, readonly string[]>> = {
  CameraMediaFile: ['videoUrl'],
  Connection: ['token', 'linkUrl'],
  // Events of connections contain the connection token.
  Event: ['detail'],
  RawData: ['data'],
  ShortLink: ['code', 'url'],
  WebhookEndpoint: ['url'],
  WebhookRequest: ['url', 'headers', 'body'],
  WebhookResponse: ['headers', 'body'],
}

/** Names that say the same of any field, also of those that custom subgraphs add. */
const SECRET_NAME = /token|secret|password|credential/i

const names = new Set(Object.values(secretFields).flat())

/** Whether the value of a field gives access to something. */
export const isSecretField = (typeName: string, field: string): boolean =>
  SECRET_NAME.test(field) || (secretFields[typeName]?.includes(field) ?? false)

/** Operations by whether they name a secret field at all, of any type and under any condition. */
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
      found ||= names.has(value) || SECRET_NAME.test(value)
    },
  })
  return found
}
