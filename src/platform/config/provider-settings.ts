import { z } from 'zod'
import { addressRanges, choice, providerBudgets, providerUrls } from './setting-parsers.ts'

/** Settings of providers. */
export const providerSettings = {
  providerBudgets: {
    variable: 'PROVIDER_BUDGETS',
    schema: providerBudgets,
    default: '',
    description:
      'total request rate per provider, if it is lower than what the provider permits, such as sandbox=10/s,samsara=600/min',
  },
  providerUrls: {
    variable: 'PROVIDER_URLS',
    schema: providerUrls,
    default: '',
    description: 'URLs of providers that replace the usual ones, such as samsara=http://host:port',
  },
  providerAllow: {
    variable: 'PROVIDER_ALLOW',
    schema: addressRanges,
    default: '',
    description:
      "private addresses that fleets' own servers (Traccar) may have, such as 10.1.0.0/16,127.0.0.1; without it only public ones",
  },
  providerHttp: {
    variable: 'PROVIDER_HTTP',
    schema: choice(['on', 'off']),
    default: 'off',
    description:
      "on: fleets' own servers may use http:// everywhere; off: https://, and http:// only for addresses in PROVIDER_ALLOW",
  },
  samsaraClientId: {
    variable: 'SAMSARA_CLIENT_ID',
    schema: z.string().min(1),
    description: 'client id of the application that you registered at Samsara, for the sign-in of fleets',
  },
  samsaraClientSecret: {
    variable: 'SAMSARA_CLIENT_SECRET',
    schema: z.string().min(1),
    description: 'client secret of that application',
  },
  samsaraRegion: {
    variable: 'SAMSARA_REGION',
    schema: choice(['us', 'eu', 'ca']),
    default: 'us',
    description: 'region in which that application is registered',
  },
  motiveClientId: {
    variable: 'MOTIVE_CLIENT_ID',
    schema: z.string().min(1),
    description: 'client id of the application that you registered at Motive, for the sign-in of fleets',
  },
  motiveClientSecret: {
    variable: 'MOTIVE_CLIENT_SECRET',
    schema: z.string().min(1),
    description: 'client secret of that application',
  },
}
