/** Where the provider of a connection sends its webhooks, of a service that is reached at an address. */
export const webhookUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}/provider-webhooks/${token}`
