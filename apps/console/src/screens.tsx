import { useTranslation } from 'react-i18next';
import { Redirect, Route, Switch } from 'wouter';
import { ApplicationsScreen } from './applications/applications-screen.js';
import { AttemptsScreen } from './attempts/attempts-screen.js';
import { AuditScreen } from './audit/audit-screen.js';
import { DeadLettersScreen } from './dead-letters/dead-letters-screen.js';
import { RedeliverScreen } from './dead-letters/redeliver-screen.js';
import { DeliveriesScreen } from './deliveries/deliveries-screen.js';
import { EndpointsScreen } from './endpoints/endpoints-screen.js';
import { EventsScreen } from './events/events-screen.js';
import { RejectionsScreen } from './events/rejections-screen.js';
import { KeysScreen } from './keys/keys-screen.js';
import { Screen } from './layout/screen.js';
import { ROOMS, Shell } from './layout/shell.js';
import { OverviewScreen } from './overview/overview-screen.js';
import { ReplaysScreen } from './replays/replays-screen.js';
import { SearchScreen } from './search/search-screen.js';
import { useSession } from './session/session.js';

/** Which screen stands at which address; what the role may not see is not there. */
export function Screens() {
  const { may } = useSession();
  // Where endpoints are not ranked, they are found by their application.
  const first = ROOMS.find(({ path, needs }) => path !== '/endpoints' && may(needs))!;
  return (
    <Shell>
      <Switch>
        {may('readStats') ? (
          <Route path="/" component={OverviewScreen} />
        ) : (
          <Route path="/">
            <Redirect to={first.path} replace />
          </Route>
        )}
        {may('listDeliveries') && <Route path="/dead-letters" component={DeadLettersScreen} />}
        {may('redeliverDeadLetters') && <Route path="/redeliver" component={RedeliverScreen} />}
        {may('listDeliveries') && <Route path="/deliveries" component={DeliveriesScreen} />}
        {may('getEndpoint') && <Route path="/endpoints" component={EndpointsScreen} />}
        {may('listEvents') && <Route path="/events" component={EventsScreen} />}
        {may('listRejections') && <Route path="/rejections" component={RejectionsScreen} />}
        {may('listApplications') && <Route path="/applications" component={ApplicationsScreen} />}
        {may('followAttempts') && <Route path="/attempts" component={AttemptsScreen} />}
        {may('listReplays') && <Route path="/replays" component={ReplaysScreen} />}
        {may('listAudit') && <Route path="/audit" component={AuditScreen} />}
        {may('listApiKeys') && <Route path="/keys" component={KeysScreen} />}
        <Route path="/search" component={SearchScreen} />
        <Route component={NotHere} />
      </Switch>
    </Shell>
  );
}

function NotHere() {
  const { t } = useTranslation();
  return (
    <Screen title={t('layout.notHere')}>
      <p>{t('layout.notHereText')}</p>
    </Screen>
  );
}
