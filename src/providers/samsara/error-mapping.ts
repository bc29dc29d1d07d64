/** A token without the permission for an endpoint may be refused there as if it were none. */
export const lacksPermission = (status: number, text: string): boolean =>
  status === 401 && /\b(permission|scope)/i.test(text)
