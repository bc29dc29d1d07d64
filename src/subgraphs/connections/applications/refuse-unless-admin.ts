import { type Caller, refuseUnlessKeyAlone, refuseWithoutKeyScope } from '../../../auth/caller.ts'

/** The application and its keys are for whoever has the scope `admin`, and for an operator. */
export function refuseUnlessAdmin(caller: Caller): void {
  refuseUnlessKeyAlone(caller, 'The application and its keys')
  refuseWithoutKeyScope(caller, 'admin')
}
