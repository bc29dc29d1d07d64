import { failureSuite } from '../../../support/providers/failures/failure-suite.ts'
import { traccar } from '../../../support/providers/subjects/traccar-subject.ts'

failureSuite(traccar)
