/** Whether a token lacks a permission. Samsara may answer 401 in that case, as for an invalid token. */
export const lacksPermission = (status: number, text: string): boolean =>
  status === 401 && /\b(permission|scope)/i.test(text)
