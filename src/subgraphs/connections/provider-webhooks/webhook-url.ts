/** Returns the URL to which the provider of a connection sends its webhooks. */
export const webhookUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}/provider-webhooks/${token}`
