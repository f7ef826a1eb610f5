//! State to cells: `draw(&App) -> Drawn`. Decides nothing, reads nothing but the state.
