use super::{Turn, Turns};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use tokio::task::{LocalSet, spawn_local};

/// Returns the order of the answers, for connections with a number of requests each.
async fn answered(asked: &[(char, usize)]) -> String {
    let (turns, said) = (Arc::new(Turns::default()), Rc::new(RefCell::new(String::new())));
    let local = LocalSet::new();
    for (name, count) in asked.iter().copied() {
        let (turns, said) = (Arc::clone(&turns), Rc::clone(&said));
        local.spawn_local(async move {
            let turn = Turn::default();
            let connection = async {
                for _ in 0..count {
                    turn.wait(&turns).await;
                    said.borrow_mut().push(name);
                }
            };
            turn.run(connection).await;
        });
    }
    local.await;
    said.take()
}

#[tokio::test(flavor = "current_thread")]
async fn nobody_waits_for_what_others_have_asked_ahead() {
    assert_eq!(answered(&[('a', 4), ('b', 1), ('c', 3), ('d', 1)]).await, "abcdacaca");
}

#[tokio::test(flavor = "current_thread")]
async fn who_is_gone_holds_nobody_up() {
    let local = LocalSet::new();
    let run = local.run_until(async {
        let turns = Arc::new(Turns::default());
        let waits = |turns: Arc<Turns>| async move {
            let turn = Turn::default();
            turn.run(async {
                turn.wait(&turns).await;
                turn.wait(&turns).await;
            })
            .await;
        };
        let gone: Vec<_> = (0..3).map(|_| spawn_local(waits(Arc::clone(&turns)))).collect();
        tokio::task::yield_now().await;
        gone.iter().for_each(tokio::task::JoinHandle::abort);
        waits(turns).await;
    });
    tokio::time::timeout(core::time::Duration::from_secs(5), run).await.unwrap();
}
