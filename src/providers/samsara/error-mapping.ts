/** Whether a 401 means that the token lacks a permission. Samsara also answers 401 to an invalid token. */
export const lacksPermission = (status: number, text: string): boolean =>
  status === 401 && /\b(permission|scope)/i.test(text)
