-- Version 2 of the queue: leases are renewed by name, so that one that its
-- worker does not use any more ends; and a worker reads and writes nothing of
-- runs that are over.

-- What version 1 has taken from a worker that is not proctor, and what breaks
-- those who read it.
DELETE FROM proctor.phones WHERE jsonb_typeof(offers) <> 'array';
ALTER TABLE proctor.phones
    ADD CHECK (jsonb_typeof(offers) = 'array');

-- Figures that add up. Results that are there already stay as they are.
ALTER TABLE proctor.results ADD CONSTRAINT results_figures CHECK
    (steps >= 0 AND duration_ms >= 0 AND input_tokens >= 0
     AND output_tokens >= 0 AND (cost IS NULL OR cost >= 0)
     AND (cost IS NULL OR cost < 'Infinity')) NOT VALID;

-- Renew these leases of a worker; returns those that it still has. A worker
-- without any shows that it is alive. (heartbeat renews all that it ever took:
-- workers that were started with version 1 go on with that.)
CREATE FUNCTION proctor.renew(p_worker bigint, p_secret uuid, p_tokens uuid[])
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
     WHERE e.state = 1 AND e.worker = p_worker AND e.token = ANY (p_tokens)
       AND r.id = e.run AND NOT r.cancelled
    RETURNING e.token;
END $$;

-- Without a row of it: the run is over, or gone.
CREATE OR REPLACE FUNCTION proctor.get_run(
    p_worker bigint, p_secret uuid, p_run bigint, OUT name text, OUT file text,
    OUT suite text, OUT recordings text, OUT lease_ms int)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM proctor.check_worker(p_worker, p_secret);
    SELECT r.name, r.file, r.suite, r.recordings, r.lease_ms
      INTO name, file, suite, recordings, lease_ms
      FROM proctor.runs r
     WHERE r.id = p_run AND NOT r.cancelled
       AND EXISTS (SELECT FROM proctor.episodes e
                    WHERE e.run = r.id AND e.state IN (0, 1));
END $$;

-- Only of a run in which the worker has an episode, or a result.
CREATE OR REPLACE FUNCTION proctor.describe_devices(
    p_worker bigint, p_secret uuid, p_run bigint, p_file text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM proctor.check_worker(p_worker, p_secret);
    IF NOT EXISTS (SELECT FROM proctor.episodes e
                    WHERE e.run = p_run AND e.state = 1 AND e.worker = p_worker)
       AND NOT EXISTS (SELECT FROM proctor.results x
                        WHERE x.run = p_run AND x.worker = p_worker) THEN
        RAISE EXCEPTION 'this worker has no episode of the run'
            USING ERRCODE = 'PR003';
    END IF;
    INSERT INTO proctor.run_devices (run, worker, file)
        VALUES (p_run, p_worker, p_file)
        ON CONFLICT (run, worker) DO UPDATE SET file = excluded.file;
END $$;

-- Runs with episodes that wait for what no phone offers.
CREATE VIEW proctor.unmet_needs AS
    SELECT r.name AS run, string_agg(DISTINCT need, ', ') AS needs
      FROM proctor.runs r
      JOIN proctor.batches b ON b.run = r.id
     CROSS JOIN LATERAL jsonb_array_elements_text(b.needs) need
     WHERE EXISTS (SELECT FROM proctor.episodes e
                    WHERE e.batch = b.id AND e.state = 0)
       AND NOT EXISTS (
           SELECT FROM proctor.phones p JOIN proctor.workers w
                    ON w.id = p.worker
            WHERE NOT w.stopped AND b.needs <@ p.offers
              AND w.seen > clock_timestamp() - interval '90 seconds')
     GROUP BY r.id;
GRANT SELECT ON proctor.unmet_needs TO proctor_user, proctor_viewer;

REVOKE ALL ON FUNCTION proctor.renew(bigint, uuid, uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION proctor.renew(bigint, uuid, uuid[])
    TO proctor_worker;
