import { z } from 'zod'

const secondsIn = { s: 1, min: 60, h: 3600 } as const

/** Rates of providers in words: sandbox=10/s,samsara=600/min,geotab=5000/h. */
export const providerBudgets = z.string().transform((text, context) => {
  const budgets = new Map<string, { readonly requests: number; readonly perSeconds: number }>()
  for (const part of text.split(',').filter(Boolean)) {
    const [, provider, requests, unit] = /^([\w-]+)=([1-9]\d{0,6})\/(s|min|h)$/.exec(part.trim()) ?? []
    if (provider === undefined)
      context.addIssue({ code: 'custom', message: 'must be like sandbox=10/s,samsara=600/min' })
    else
      budgets.set(provider, {
        requests: Number(requests),
        perSeconds: secondsIn[unit as keyof typeof secondsIn],
      })
  }
  return budgets
})
