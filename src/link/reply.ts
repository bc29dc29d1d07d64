import type { FastifyReply } from 'fastify'
import type { LinkApplication } from '../subgraphs/connections/linking/link-application.ts'
import { render } from './pages/render.ts'
import { hostOrigins, contentSecurityPolicy } from './content-security-policy.ts'
import type { LinkRefusal, View } from './view.ts'
import type { LinkRequestContext } from './request-context.ts'

/** A page to show, and around it what the fleet's run and its application say. */
export interface PageReply {
  readonly view: View
  readonly application?: LinkApplication | null
  /** The address of the run. */
  readonly run?: string
  readonly isFramed?: boolean
  /** The origin of the page that frames it or has opened it in a window. */
  readonly host?: string | undefined
  /** The origins that the page's forms may end at. */
  readonly leads?: readonly string[]
  readonly status?: number
}

const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

const statusOf: Readonly<Record<LinkRefusal, number>> = {
  no_key: 400,
  unknown_key: 403,
  bad_parameter: 400,
  unknown_provider: 404,
  unknown_connection: 404,
  redirect_not_allowed: 400,
  expired: 410,
  bad_state: 400,
  not_found: 404,
  foreign_page: 403,
  too_many: 429,
  too_many_sign_ins: 410,
  our_fault: 500,
}

export function replyWithPage(
  reply: FastifyReply,
  context: LinkRequestContext,
  shown: PageReply,
): FastifyReply {
  const { view, application = null, run = null, leads = [], host } = shown
  const html = render(view, {
    language: context.language,
    applicationName: application?.name ?? null,
    base: context.base,
    run,
    origins: hostOrigins(application, host),
    isFramed: shown.isFramed ?? context.isFramed ?? false,
  })
  return reply
    .code(shown.status ?? (view.step === 'refused' ? statusOf[view.why] : 200))
    .headers({ ...HEADERS, 'content-security-policy': contentSecurityPolicy(application, leads) })
    .type('text/html; charset=utf-8')
    .send(html)
}

interface RefusedView {
  readonly parameter?: string | undefined
  readonly application?: LinkApplication | undefined
  /** The origin of the page that frames it or has opened it; by itself that of the page which led here. */
  readonly host?: string | undefined
  /** In place of the one that goes with the reason. */
  readonly status?: number
}

/** Shows why there is nothing to do. */
export const replyWithRefusal = (
  reply: FastifyReply,
  context: LinkRequestContext,
  why: LinkRefusal,
  { parameter, application, host = context.cameFrom ?? undefined, status }: RefusedView = {},
): FastifyReply =>
  replyWithPage(reply, context, {
    view: { step: 'refused', why, ...(parameter === undefined ? {} : { parameter }) },
    application: application ?? null,
    host,
    ...(status === undefined ? {} : { status }),
  })

/** Sends a browser on, also after a form: it asks for the next page by GET. */
export const redirectTo = (reply: FastifyReply, address: string): FastifyReply =>
  reply.headers(HEADERS).redirect(address, 303)
