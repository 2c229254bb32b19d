-- Version 1 of the queue. Migrations only ever add: N.sql brings version N-1
-- to N, in the transaction of `proctor queue init`.
--
-- Tables are written by the functions below alone. They run with the rights of
-- the schema's owner (SECURITY DEFINER), so that a worker can do nothing but
-- take an episode, renew its leases and give one result for each. All times are
-- those of the database's clock.

CREATE TABLE proctor.runs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE
        CHECK (name ~ '^[A-Za-z0-9_-][A-Za-z0-9._-]*$' AND length(name) <= 64),
    created timestamptz NOT NULL DEFAULT clock_timestamp(),
    submitter text NOT NULL DEFAULT session_user,
    cancelled boolean NOT NULL DEFAULT false,
    agent text NOT NULL,
    file text NOT NULL,         -- run.json
    suite text NOT NULL,        -- suite.json
    recordings text NOT NULL,   -- where recordings go; see farm_store.h
    lease_ms int NOT NULL CHECK (lease_ms BETWEEN 1000 AND 3600000),
    tries int NOT NULL CHECK (tries BETWEEN 1 AND 1000),
    max_cost double precision,
    max_tokens bigint,
    cost double precision NOT NULL DEFAULT 0,
    tokens bigint NOT NULL DEFAULT 0
);

-- Episodes with the same needs. A worker looks for work in the few batches that
-- match, so that episodes that it cannot do cost nothing.
CREATE TABLE proctor.batches (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run bigint NOT NULL REFERENCES proctor.runs ON DELETE CASCADE,
    needs jsonb NOT NULL,
    UNIQUE (run, needs)
);

--                 claim            finish: ended
--   0 waiting ──────────▶ 1 taken ──────────────▶ 2 ended
--      ▲  │                │ │ │
--      │  │ cancel         │ │ └─ finish: void, no tries left,
--      │  ▼                │ │    or leases lost too often ──▶ 3 void
--      │ 4 cancelled ◀─────┘ │         retry ▼
--      └─────────────────────┴───────────────┘
--        finish: void or returned; lease lost
CREATE TABLE proctor.episodes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run bigint NOT NULL REFERENCES proctor.runs ON DELETE CASCADE,
    batch bigint NOT NULL,
    task_index int NOT NULL,    -- in the plan
    task text NOT NULL,
    repeat int NOT NULL,
    state smallint NOT NULL DEFAULT 0,
    attempt int NOT NULL DEFAULT 0,     -- of this claim, or the next one
    tries smallint NOT NULL DEFAULT 0,  -- attempts that ended void
    lost smallint NOT NULL DEFAULT 0,   -- leases that were lost
    turn bigint NOT NULL DEFAULT 0,     -- the order of what was returned
    token uuid,                         -- the secret of this claim
    worker bigint,
    phone text,
    lease_until timestamptz
);
CREATE INDEX episodes_run ON proctor.episodes (run, state);
CREATE INDEX episodes_waiting ON proctor.episodes (batch, turn, id)
    WHERE state = 0;
CREATE INDEX episodes_lease ON proctor.episodes (lease_until) WHERE state = 1;
CREATE INDEX episodes_worker ON proctor.episodes (worker) WHERE state = 1;
-- Vacuum often: what was claimed leaves dead entries where the next claim looks.
ALTER TABLE proctor.episodes SET (autovacuum_vacuum_scale_factor = 0.01,
                                  autovacuum_vacuum_cost_delay = 0);

CREATE TABLE proctor.results (
    seq bigint GENERATED ALWAYS AS IDENTITY,
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    run bigint NOT NULL REFERENCES proctor.runs ON DELETE CASCADE,
    episode bigint NOT NULL,
    attempt int NOT NULL,
    token uuid NOT NULL,
    worker bigint NOT NULL,
    worker_name text NOT NULL,
    phone text NOT NULL,
    task text NOT NULL,
    repeat int NOT NULL,
    ended timestamptz NOT NULL DEFAULT clock_timestamp(),
    ending text NOT NULL CHECK (length(ending) <= 40),
    reason text CHECK (length(reason) <= 10000),
    steps int NOT NULL,
    duration_ms bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cost double precision,
    line text NOT NULL,         -- of results.jsonl
    PRIMARY KEY (episode, attempt)
);
CREATE INDEX results_run ON proctor.results (run, xid, seq);
CREATE INDEX results_ended ON proctor.results (ended);

CREATE TABLE proctor.workers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    secret uuid NOT NULL,
    name text NOT NULL CHECK (length(name) <= 200),
    role text NOT NULL DEFAULT session_user,
    started timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen timestamptz NOT NULL DEFAULT clock_timestamp(),
    stopped boolean NOT NULL DEFAULT false,
    trouble text CHECK (length(trouble) <= 1000)
);

CREATE TABLE proctor.phones (
    worker bigint NOT NULL REFERENCES proctor.workers ON DELETE CASCADE,
    serial text NOT NULL CHECK (length(serial) <= 200),
    offers jsonb NOT NULL CHECK (length(offers::text) <= 1000000),
    PRIMARY KEY (worker, serial)
);

-- The devices of a run as its workers describe them, for run.json.
CREATE TABLE proctor.run_devices (
    run bigint NOT NULL REFERENCES proctor.runs ON DELETE CASCADE,
    worker bigint NOT NULL,
    file text NOT NULL CHECK (length(file) <= 16000000),
    PRIMARY KEY (run, worker)
);

-- ---- workers ----

CREATE FUNCTION proctor.register(p_name text, p_phones jsonb,
                                 OUT worker bigint, OUT secret uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM proctor.workers w
     WHERE w.seen < clock_timestamp() - interval '1 day'
       AND NOT EXISTS (SELECT FROM proctor.episodes e
                        WHERE e.worker = w.id AND e.state = 1);
    INSERT INTO proctor.workers AS w (secret, name)
        VALUES (gen_random_uuid(), left(p_name, 200))
        RETURNING w.id, w.secret INTO worker, secret;
    INSERT INTO proctor.phones (worker, serial, offers)
        SELECT worker, left(p->>'serial', 200), p->'offers'
          FROM jsonb_array_elements(p_phones) p
        ON CONFLICT DO NOTHING;
END $$;

-- Fails unless this is the worker's secret.
CREATE FUNCTION proctor.check_worker(p_worker bigint, p_secret uuid)
RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE known text;
BEGIN
    SELECT w.name INTO known FROM proctor.workers w
     WHERE w.id = p_worker AND w.secret = p_secret;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'this worker is not registered'
            USING ERRCODE = 'PR001';
    END IF;
    RETURN known;
END $$;

-- Give back what a worker held too long, or forever if that happens often: an
-- episode that kills its worker must not kill all of them.
CREATE FUNCTION proctor.expire() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE waiting int;
BEGIN
    WITH overdue AS (
        SELECT e.id FROM proctor.episodes e
         WHERE e.state = 1 AND e.lease_until < clock_timestamp()
         LIMIT 100 FOR UPDATE SKIP LOCKED
    ), returned AS (
        UPDATE proctor.episodes e
           SET state = CASE WHEN r.cancelled THEN 4
                            WHEN e.lost >= 9 THEN 3 ELSE 0 END,
               attempt = e.attempt + 1, lost = e.lost + 1,
               turn = (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
               token = NULL, worker = NULL, phone = NULL, lease_until = NULL
          FROM overdue o, proctor.runs r
         WHERE e.id = o.id AND r.id = e.run
        RETURNING e.state
    )
    SELECT count(*) FILTER (WHERE state = 0) INTO waiting FROM returned;
    IF waiting > 0 THEN
        NOTIFY proctor_work;
    END IF;
END $$;

CREATE FUNCTION proctor.may_spend(r proctor.runs) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT (r.max_cost IS NULL OR r.cost < r.max_cost)
       AND (r.max_tokens IS NULL OR r.tokens < r.max_tokens)
$$;

-- The next run with an episode for one of the phones; their offers are an array
-- of arrays. Without one: how long until a lease may be lost.
CREATE FUNCTION proctor.next_run(p_worker bigint, p_secret uuid,
                                 p_offers jsonb, p_except bigint[],
                                 OUT run bigint, OUT wait_ms bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM proctor.check_worker(p_worker, p_secret);
    PERFORM proctor.expire();
    SELECT r.id INTO run FROM proctor.runs r
     WHERE NOT r.cancelled AND r.id <> ALL (p_except) AND proctor.may_spend(r)
       AND EXISTS (
           SELECT FROM proctor.batches b
            WHERE b.run = r.id
              AND EXISTS (SELECT FROM jsonb_array_elements(p_offers) o
                           WHERE b.needs <@ o)
              AND EXISTS (SELECT FROM proctor.episodes e
                           WHERE e.batch = b.id AND e.state = 0))
     ORDER BY r.id LIMIT 1;
    IF run IS NULL THEN
        SELECT (extract(epoch FROM min(e.lease_until) - clock_timestamp())
                * 1000)::bigint INTO wait_ms
          FROM proctor.episodes e WHERE e.state = 1;
    END IF;
END $$;

CREATE FUNCTION proctor.get_run(p_worker bigint, p_secret uuid, p_run bigint,
                                OUT name text, OUT file text, OUT suite text,
                                OUT recordings text, OUT lease_ms int)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM proctor.check_worker(p_worker, p_secret);
    SELECT r.name, r.file, r.suite, r.recordings, r.lease_ms
      INTO name, file, suite, recordings, lease_ms
      FROM proctor.runs r WHERE r.id = p_run;
END $$;

-- Take an episode. A repeated call with the same token, after a lost
-- connection, gets the same one.
CREATE FUNCTION proctor.claim(p_worker bigint, p_secret uuid, p_run bigint,
                              p_token uuid, p_phone text, p_offer jsonb,
                              OUT episode bigint, OUT task_index int,
                              OUT repeat int, OUT attempt int)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    r proctor.runs;
    b bigint;
BEGIN
    -- What a crash of the server forgets of a claim costs only its episode's
    -- attempt; results are never written so.
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM proctor.check_worker(p_worker, p_secret);
    SELECT e.id, e.task_index, e.repeat, e.attempt
      INTO episode, task_index, repeat, attempt
      FROM proctor.episodes e
     WHERE e.state = 1 AND e.worker = p_worker AND e.token = p_token;
    IF FOUND THEN
        RETURN;
    END IF;
    PERFORM proctor.expire();
    SELECT * INTO r FROM proctor.runs WHERE id = p_run;
    IF NOT FOUND OR r.cancelled OR NOT proctor.may_spend(r) THEN
        RETURN;
    END IF;
    FOR b IN SELECT id FROM proctor.batches
              WHERE run = p_run AND needs <@ p_offer ORDER BY id LOOP
        SELECT e.id, e.task_index, e.repeat, e.attempt
          INTO episode, task_index, repeat, attempt
          FROM proctor.episodes e
         WHERE e.batch = b AND e.state = 0
         ORDER BY e.turn, e.id LIMIT 1 FOR UPDATE SKIP LOCKED;
        EXIT WHEN FOUND;
    END LOOP;
    IF episode IS NOT NULL THEN
        UPDATE proctor.episodes e
           SET state = 1, token = p_token, worker = p_worker,
               phone = left(p_phone, 200),
               lease_until = clock_timestamp()
                             + r.lease_ms * interval '1 millisecond'
         WHERE e.id = episode;
    END IF;
END $$;

-- Renew all leases of a worker; returns those that it still has.
CREATE FUNCTION proctor.heartbeat(p_worker bigint, p_secret uuid)
RETURNS SETOF uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM proctor.check_worker(p_worker, p_secret);
    UPDATE proctor.workers SET seen = clock_timestamp() WHERE id = p_worker;
    RETURN QUERY
    UPDATE proctor.episodes e
       SET lease_until = clock_timestamp()
                         + r.lease_ms * interval '1 millisecond'
      FROM proctor.runs r
     WHERE e.state = 1 AND e.worker = p_worker AND r.id = e.run
       AND NOT r.cancelled
    RETURNING e.token;
END $$;

-- An attempt has ended: 'ended' or 'void' with its line of results.jsonl, or
-- 'returned'. True: it counts, also when this call is repeated. False: the lease
-- was lost, and another worker has the episode or has done it.
CREATE FUNCTION proctor.finish(p_worker bigint, p_secret uuid,
                               p_episode bigint, p_attempt int, p_token uuid,
                               p_outcome text, p_line text)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    worker_name text := proctor.check_worker(p_worker, p_secret);
    e proctor.episodes;
    r proctor.runs;
    l jsonb := p_line::jsonb;
    next_state smallint := 0;
BEGIN
    SELECT * INTO e FROM proctor.episodes WHERE id = p_episode FOR UPDATE;
    IF NOT FOUND OR e.state <> 1 OR e.worker <> p_worker
       OR e.token <> p_token OR e.attempt <> p_attempt THEN
        RETURN EXISTS (SELECT FROM proctor.results x
                        WHERE x.episode = p_episode AND x.attempt = p_attempt
                          AND x.worker = p_worker AND x.token = p_token);
    END IF;
    IF p_outcome NOT IN ('ended', 'void', 'returned')
       OR length(p_line) > 100000 OR (p_outcome = 'ended' AND l IS NULL) THEN
        RAISE EXCEPTION 'not a result' USING ERRCODE = 'PR002';
    END IF;
    SELECT * INTO r FROM proctor.runs WHERE id = e.run;
    IF l IS NOT NULL THEN
        INSERT INTO proctor.results
            (run, episode, attempt, token, worker, worker_name, phone, task,
             repeat, ending, reason, steps, duration_ms, input_tokens,
             output_tokens, cost, line)
        VALUES
            (e.run, e.id, e.attempt, p_token, p_worker, worker_name, e.phone,
             e.task, e.repeat, l->>'ending', l->>'reason', (l->>'steps')::int,
             (l->>'duration_ms')::bigint, (l->>'input_tokens')::bigint,
             (l->>'output_tokens')::bigint, (l->>'cost')::double precision,
             p_line);
        IF r.max_cost IS NOT NULL OR r.max_tokens IS NOT NULL THEN
            UPDATE proctor.runs
               SET cost = cost + coalesce((l->>'cost')::double precision, 0),
                   tokens = tokens + (l->>'input_tokens')::bigint
                            + (l->>'output_tokens')::bigint
             WHERE id = e.run;
        END IF;
    END IF;
    next_state := CASE WHEN p_outcome = 'ended' THEN 2
                       WHEN r.cancelled THEN 4
                       WHEN p_outcome = 'void' AND e.tries + 1 >= r.tries
                           THEN 3
                       ELSE 0 END;
    UPDATE proctor.episodes
       SET state = next_state,
           attempt = e.attempt + CASE WHEN p_outcome = 'ended' THEN 0
                                      ELSE 1 END,
           tries = e.tries + CASE WHEN p_outcome = 'void' THEN 1 ELSE 0 END,
           turn = (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
           token = NULL, worker = NULL, phone = NULL, lease_until = NULL
     WHERE id = e.id;
    IF next_state = 0 THEN
        NOTIFY proctor_work;
    END IF;
    RETURN true;
END $$;

CREATE FUNCTION proctor.describe_devices(p_worker bigint, p_secret uuid,
                                         p_run bigint, p_file text)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM proctor.check_worker(p_worker, p_secret);
    INSERT INTO proctor.run_devices (run, worker, file)
        VALUES (p_run, p_worker, p_file)
        ON CONFLICT (run, worker) DO UPDATE SET file = excluded.file;
END $$;

-- What keeps a worker from a run, for people; NULL: nothing.
CREATE FUNCTION proctor.report_trouble(p_worker bigint, p_secret uuid,
                                       p_text text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM proctor.check_worker(p_worker, p_secret);
    UPDATE proctor.workers SET trouble = left(p_text, 1000)
     WHERE id = p_worker;
END $$;

CREATE FUNCTION proctor.unregister(p_worker bigint, p_secret uuid)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM proctor.check_worker(p_worker, p_secret);
    UPDATE proctor.workers SET stopped = true WHERE id = p_worker;
END $$;

-- ---- users ----

-- tasks: [{"task": "shop.cheapest", "needs": ["kind:builtin"]}, …] in the order
-- of the plan. All tasks come once before any comes twice.
CREATE FUNCTION proctor.enqueue(p_name text, p_agent text, p_file text,
                                p_suite text, p_recordings text,
                                p_lease_ms int, p_tries int, p_repeats int,
                                p_max_cost double precision,
                                p_max_tokens bigint, p_tasks jsonb,
                                OUT new_run bigint, OUT new_name text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE number int := 1;
BEGIN
    new_name := p_name;
    WHILE EXISTS (SELECT FROM proctor.runs r WHERE r.name = new_name) LOOP
        number := number + 1;
        new_name := p_name || '-' || number;
    END LOOP;
    INSERT INTO proctor.runs (name, agent, file, suite, recordings, lease_ms,
                              tries, max_cost, max_tokens)
        VALUES (new_name, p_agent, p_file, p_suite, p_recordings, p_lease_ms,
                p_tries, p_max_cost, p_max_tokens)
        RETURNING id INTO new_run;
    INSERT INTO proctor.batches (run, needs)
        SELECT DISTINCT new_run, t->'needs' FROM jsonb_array_elements(p_tasks) t;
    INSERT INTO proctor.episodes (run, batch, task_index, task, repeat)
        SELECT new_run, b.id, t.place - 1, t.item->>'task', k
          FROM generate_series(0, p_repeats - 1) k,
               jsonb_array_elements(p_tasks) WITH ORDINALITY t (item, place),
               proctor.batches b
         WHERE b.run = new_run AND b.needs = t.item->'needs'
         ORDER BY k, t.place;
    NOTIFY proctor_work;
END $$;

CREATE FUNCTION proctor.cancel(p_name text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    r proctor.runs;
    changed bigint;
BEGIN
    UPDATE proctor.runs SET cancelled = true WHERE name = p_name
        RETURNING * INTO r;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    UPDATE proctor.episodes SET state = 4 WHERE run = r.id AND state = 0;
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END $$;

-- Void and cancelled episodes wait again; tries are counted from 0.
CREATE FUNCTION proctor.retry(p_name text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    r proctor.runs;
    changed bigint;
BEGIN
    UPDATE proctor.runs SET cancelled = false WHERE name = p_name
        RETURNING * INTO r;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    UPDATE proctor.episodes
       SET state = 0, tries = 0, lost = 0,
           turn = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
     WHERE run = r.id AND state IN (3, 4);
    GET DIAGNOSTICS changed = ROW_COUNT;
    NOTIFY proctor_work;
    RETURN changed;
END $$;

-- Forget finished runs: that one, or (NULL) all of more than so many days ago.
CREATE FUNCTION proctor.purge(p_name text, p_days double precision)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE changed bigint;
BEGIN
    DELETE FROM proctor.runs r
     WHERE (r.name = p_name
            OR (p_name IS NULL
                AND r.created < clock_timestamp() - p_days * interval '1 day'))
       AND NOT EXISTS (SELECT FROM proctor.episodes e
                        WHERE e.run = r.id AND e.state IN (0, 1));
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END $$;

-- ---- what people read ----

CREATE VIEW proctor.run_states AS
    SELECT r.id, r.name, r.agent, r.submitter, r.created, r.cancelled,
           r.recordings, count(*) AS episodes,
           count(*) FILTER (WHERE e.state = 0) AS waiting,
           count(*) FILTER (WHERE e.state = 1) AS taken,
           count(*) FILTER (WHERE e.state = 2) AS ended,
           count(*) FILTER (WHERE e.state = 3) AS void,
           count(*) FILTER (WHERE e.state = 4) AS dropped,
           r.cost, r.max_cost, r.tokens, r.max_tokens
      FROM proctor.runs r LEFT JOIN proctor.episodes e ON e.run = r.id
     GROUP BY r.id;

CREATE VIEW proctor.worker_states AS
    SELECT w.id, w.name, w.role, w.trouble, w.stopped,
           extract(epoch FROM clock_timestamp() - w.seen)::double precision
               AS silent_s,
           (SELECT count(*) FROM proctor.phones p WHERE p.worker = w.id)
               AS phones,
           (SELECT count(*) FROM proctor.episodes e
             WHERE e.worker = w.id AND e.state = 1) AS taken
      FROM proctor.workers w;

CREATE VIEW proctor.result_lines AS
    SELECT run, xid, seq, worker, task, repeat, attempt, line
      FROM proctor.results;

CREATE VIEW proctor.run_files AS
    SELECT r.name, r.id, r.file, r.suite, r.recordings FROM proctor.runs r;

CREATE VIEW public.proctor_results AS
    SELECT r.name AS run, r.agent, x.task, x.repeat, x.attempt, x.ending,
           x.reason, x.steps, x.duration_ms, x.input_tokens, x.output_tokens,
           x.cost, x.worker_name AS worker, x.phone, x.ended
      FROM proctor.results x JOIN proctor.runs r ON r.id = x.run;

CREATE VIEW public.proctor_phones AS
    SELECT w.name AS worker, p.serial, p.offers,
           NOT w.stopped AND w.seen > clock_timestamp() - interval '1 minute'
               AS alive,
           w.seen, r.name AS run, e.task, e.repeat, e.attempt, e.lease_until
      FROM proctor.phones p
      JOIN proctor.workers w ON w.id = p.worker
      LEFT JOIN proctor.episodes e
             ON e.state = 1 AND e.worker = p.worker AND e.phone = p.serial
      LEFT JOIN proctor.runs r ON r.id = e.run;

-- ---- roles ----

DO $$
DECLARE wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['proctor_worker', 'proctor_user',
                                  'proctor_viewer'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
        END IF;
    END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE EXCEPTION 'this role may not create the roles proctor_worker, '
        'proctor_user and proctor_viewer: have an administrator create them';
END $$;

REVOKE ALL ON SCHEMA proctor FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA proctor FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA proctor FROM PUBLIC;
GRANT USAGE ON SCHEMA proctor TO proctor_worker, proctor_user, proctor_viewer;
GRANT SELECT ON proctor.schema_version
    TO proctor_worker, proctor_user, proctor_viewer;
GRANT EXECUTE ON FUNCTION
    proctor.register(text, jsonb),
    proctor.next_run(bigint, uuid, jsonb, bigint[]),
    proctor.get_run(bigint, uuid, bigint),
    proctor.claim(bigint, uuid, bigint, uuid, text, jsonb),
    proctor.heartbeat(bigint, uuid),
    proctor.finish(bigint, uuid, bigint, int, uuid, text, text),
    proctor.describe_devices(bigint, uuid, bigint, text),
    proctor.report_trouble(bigint, uuid, text),
    proctor.unregister(bigint, uuid)
    TO proctor_worker;
GRANT EXECUTE ON FUNCTION
    proctor.enqueue(text, text, text, text, text, int, int, int,
                    double precision, bigint, jsonb),
    proctor.cancel(text), proctor.retry(text),
    proctor.purge(text, double precision)
    TO proctor_user;
GRANT SELECT ON proctor.run_states, proctor.worker_states,
    proctor.result_lines, proctor.run_files, proctor.run_devices
    TO proctor_user;
GRANT SELECT ON proctor.run_states, proctor.worker_states,
    public.proctor_results, public.proctor_phones
    TO proctor_user, proctor_viewer;
